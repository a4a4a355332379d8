//! Batts on OpenCL and CUDA devices.
//!
//! | file | what it is |
//! |---|---|
//! | `kernels/*.c` | the kernel text, by family, in the common part of OpenCL C and CUDA C; `lanes.c` is what all lanes do |
//! | `table.rs` | which primitives the device has, by name |
//! | `source.rs` | the text put together |
//! | `lower.rs`, `lower/` | programs as bytecode; functions of functions as loops |
//! | `runtime.rs` | what a device must be able to do |
//! | `opencl.rs`, `cuda.rs` | two ways to reach one |
//! | `fleet.rs` | several devices on one batch |
//! | `record.rs` | what comes back: 12 bytes per node and input |
//! | `columns.rs` | that as the columns of a run, with what the CPU does beside it |
//!
//! Nothing here decides whether a device is worth it. What a device did not do, or did wrong, is said; whoever
//! asked goes on with the CPU.

pub mod columns;
pub mod cuda;
pub mod fleet;
pub mod lower;
pub mod opencl;
pub mod record;
pub mod runtime;
pub mod source;
pub mod table;

pub use columns::{DeviceColumns, DeviceCounts, Host, TaskBatch};
pub use fleet::{Fleet, Listing, NodeRecords, Use};
pub use lower::{ComputedBy, Lowered, Reason};
pub use record::{Record, Seen};
pub use runtime::{
    Api, DeviceBatch, DeviceError, DeviceInfo, DeviceInputs, Returned, Runtime, Shape, TimeSpan,
    Took, Work,
};
