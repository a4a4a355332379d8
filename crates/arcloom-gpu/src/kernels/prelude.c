// One text for two languages: OpenCL C 1.2 and CUDA C. This file is the only place where they differ.
//
// A work-group evaluates a stretch of bytecode on one input. Values live in the group's part of the
// heap; `Val` is a value's header, what is larger than a header lies at `off`, in words of the heap.
// A step is a chain of phases: lane 0 reads arguments, decides, makes headers and names the next phase
// (`mode`); all lanes do it (`lanes.c` and the files of families), each on every so manieth cell or
// element; lane 0 goes on with what they found, until there is nothing more to do.
#ifdef ARCLOOM_CUDA
typedef long long i64;
typedef unsigned int u32;
// A group is one warp; registers are to leave room for sixteen groups on a multiprocessor.
#define KERNEL extern "C" __global__ __launch_bounds__(32, 16)
#define GLOBAL
#define LOCAL
#define SHARED __shared__
#define FN extern "C" __device__ __noinline__
#define INLINE static __device__ __forceinline__
#define LANE ((int)threadIdx.x)
#define LANES ((int)blockDim.x)
#define GROUP ((int)blockIdx.x)
#define GROUPS ((int)gridDim.x)
#define BARRIER __syncthreads()
#define ADD(place, n) atomicAdd((place), (n))
#define LOWER(place, n) atomicMin((place), (n))
#define RAISE(place, n) atomicMax((place), (n))
#define SET_BITS(place, n) atomicOr((place), (n))
#define LOWEST_BIT(n) (__ffs((int)(n)) - 1)
#else
typedef long i64;
typedef uint u32;
#define KERNEL __kernel
#define GLOBAL __global
#define LOCAL __local
#define SHARED __local
#define FN static
#define INLINE static
#define LANE ((int)get_local_id(0))
#define LANES ((int)get_local_size(0))
#define GROUP ((int)get_group_id(0))
#define GROUPS ((int)get_num_groups(0))
#define BARRIER barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#define ADD(place, n) atomic_add((place), (n))
#define LOWER(place, n) atomic_min((place), (n))
#define RAISE(place, n) atomic_max((place), (n))
#define SET_BITS(place, n) atomic_or((place), (n))
#define LOWEST_BIT(n) (31 - (int)clz((n) & (0u - (n))))
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

// Elements of a value as headers, made in this step: `expand` finds them again.
typedef struct {
    int k, a, b, off, at;
} Listed;
#define MOST_LISTED 4

// What the lanes of a group share besides the heap.
typedef struct {
    int top, start, work, mode, over, job;
    // What a phase is given, and what the lanes found in it: a number, an extent, and whatever else.
    int p[20];
    int n, low_i, low_j, high_i, high_j, flag, most_area, all_area;
    u32 sum[4];
    // The colours of the cells at `seen_at`: the commonest, the rarest and the smallest, and which there are.
    int seen_at, most, least, lowest, kinds;
    u32 mask[8];
    Listed listed[MOST_LISTED];
    int listed_count;
    // How many cells of each colour; always left at 0.
    int bins[256];
    // A number of each lane.
    int own[32];
} Ctx;
// Words of a group's part of the heap before its constants.
#define CONSTS_AT 24

typedef GLOBAL Val *VP;
typedef struct {
    GLOBAL int *h;
    LOCAL Ctx *ctx;
    int cap;
} Mem;

// What all lanes do. Up to F_PLAIN the step is over then.
#define F_NONE 0
#define F_MAP 1
#define F_CONST 2
#define F_CONCAT 3
#define F_SWAP 4
#define F_AGREE 5
#define F_DRAW 6
#define F_RESULT 7
#define F_OUTLINE 8
#define F_RECOLOR 9
#define F_PICK_LINES 10
#define F_TUPLE_WRITE 11
#define F_SPLIT 12
#define F_PLAIN 12
// They write a box and find out where its elements are.
#define F_UNITE 13
#define F_SIFT 14
#define F_COMPLEMENT 15
#define F_OF_COLOR 16
#define F_LIFT 17
#define F_OCCUR 18
#define F_WRITES 18
#define F_COUNT 19
#define F_PICK 20
#define F_LIST_GRID 21
#define F_LIST_COUNT 22
#define F_LIST_WRITE 23
#define F_LIST_COLORS 24
#define F_TUPLE_CHECK 25
#define F_SET_BOUNDS 26
#define F_SET_CLEAR 27
#define F_SET_WRITE 28
#define F_SET_CHECK 29
#define F_SORTED 30
#define F_SORT 31
#define F_MERGE_BOUNDS 32
#define F_MERGE_CLEAR 33
#define F_MERGE_WRITE 34
#define F_MERGE_CHECK 35
#define F_MERGE_COPY 36
#define F_LABEL_INIT 37
#define F_LABEL_UNITE 38
#define F_LABEL_FLATTEN 39
#define F_LABEL_COLORS 40
#define F_LABEL_MEASURE 41
#define F_LABEL_RANK 42
#define F_LABEL_GATHER 43
#define F_FRONTIERS 44
#define F_LINES 45
#define F_DISTANCE 46
#define F_SHARE_LINE 47
#define F_TOUCH 48
#define F_MASS 49
#define F_EQUAL 50
#define F_FIRST_EQUAL 51
#define F_TIMES 52
#define F_COLOR_OF 53
#define F_PERIOD 54
#define F_ORDER 55
