#pragma once
// Braid: tensor programs of data movement and pointwise math as one CUDA kernel at memory speed.

#include <braid/definition.h>
#include <braid/dtype.h>
#include <braid/error.h>
#include <braid/executor.h>
#include <braid/source_loc.h>
#include <braid/types.h>
