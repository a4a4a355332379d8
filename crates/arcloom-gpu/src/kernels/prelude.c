// One text for two languages: OpenCL C 1.2 and CUDA C. This file is the only place where they differ.
//
// A work-group evaluates a stretch of bytecode on one input. Values live in the group's part of the
// heap; `Val` is a value's header, what is larger than a header lies at `off`, in words of the heap.
// Step by step, lane 0 reads arguments, decides and makes headers; then all lanes write the cells.
#ifdef ARCLOOM_CUDA
typedef long long i64;
typedef unsigned int u32;
#define KERNEL extern "C" __global__
#define GLOBAL
#define FN extern "C" __device__ __noinline__
#define LANE ((int)threadIdx.x)
#define LANES ((int)blockDim.x)
#define GROUP ((int)blockIdx.x)
#define GROUPS ((int)gridDim.x)
#define BARRIER __syncthreads()
#define ADD(place, n) atomicAdd((place), (n))
#else
typedef long i64;
typedef uint u32;
#define KERNEL __kernel
#define GLOBAL __global
#define FN static
#define LANE ((int)get_local_id(0))
#define LANES ((int)get_local_size(0))
#define GROUP ((int)get_group_id(0))
#define GROUPS ((int)get_num_groups(0))
#define BARRIER barrier(CLK_GLOBAL_MEM_FENCE)
#define ADD(place, n) atomic_add((place), (n))
#endif
typedef signed char i8;

// Kinds of values. The canonical form of a value is that of the engine on the CPU.
#define K_FAIL 0
#define K_OVER 1
#define K_NONE 2
#define K_INT 3
#define K_PAIR 4
#define K_CELL 5
#define K_GRID 6
#define K_TUPLE 7
#define K_POS 8
#define K_OBJ 9
#define K_SET 10
#define K_ITER 11

// INT: a. PAIR: a, b. CELL: colour h at a, b. GRID: h rows, w columns, bytes at off.
// POS, OBJ: a tight box of h x w bytes at off with its corner at a, b, and n elements; ABSENT where
// there is none. TUPLE, SET: n headers at off.
typedef struct {
    int k, a, b, h, w, n, off, x;
} Val;
#define VAL_WORDS 8
#define ABSENT (-128)
// Beyond these a step gives K_OVER, and the CPU does it again.
#define MAX_AREA 4096
#define MAX_SIDE 512
#define MAX_ITEMS 4096
#define MAX_COORD 1073741824
#define MAX_INT 2147483647

// What the lanes of a group share besides the heap, at its beginning.
typedef struct {
    int top, work, mode, over;
    int p[12];
    u32 sum[4];
} Ctx;
#define CONSTS_AT 24

typedef GLOBAL Val *VP;
typedef struct {
    GLOBAL int *h;
    GLOBAL Ctx *ctx;
    int cap;
} Mem;

// How the lanes write the cells of a result.
#define F_NONE 0
#define F_MAP 1
#define F_CONST 2
#define F_CONCAT 3
#define F_SWAP 4
#define F_AGREE 5
#define F_DRAW 6
#define F_RESULT 7
