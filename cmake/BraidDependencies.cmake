# Every third-party library Braid builds with. The library itself needs fmt and xxHash; the CUDA driver and NVRTC are
# opened at run time, so only their headers are looked for here.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_package(nlohmann_json REQUIRED)
if(BRAID_BUILD_TOOLS)
  find_package(CLI11 REQUIRED)
endif()
if(BRAID_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
