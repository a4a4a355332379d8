-- An archive as version 1 made it. Never edited: it stands for the files people have.
PRAGMA application_id = 1634888813;
PRAGMA user_version = 1;
CREATE TABLE run (
    key INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
    repeat INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    config TEXT NOT NULL,
    version TEXT NOT NULL,
    started INTEGER NOT NULL,
    generations INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'finished')),
    checkpoint BLOB NOT NULL DEFAULT x''
) STRICT;

CREATE TABLE generation (
    run INTEGER NOT NULL REFERENCES run (key),
    number INTEGER NOT NULL,
    evaluations INTEGER NOT NULL,
    new_programs INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    stats TEXT NOT NULL,
    finished INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator (
    run INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    operator TEXT NOT NULL,
    applied INTEGER NOT NULL,
    valid INTEGER NOT NULL,
    new INTEGER NOT NULL,
    improving INTEGER NOT NULL,
    PRIMARY KEY (run, generation, operator),
    FOREIGN KEY (run, generation) REFERENCES generation (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE program (
    key INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    size INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    run INTEGER REFERENCES run (key),
    generation INTEGER,
    operator TEXT,
    source TEXT NOT NULL,
    added INTEGER NOT NULL
) STRICT;

CREATE TABLE parent (
    child INTEGER NOT NULL REFERENCES program (key) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    parent INTEGER NOT NULL REFERENCES program (key),
    PRIMARY KEY (child, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX parent_by_parent ON parent (parent);

CREATE TABLE task (
    key INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
    name TEXT NOT NULL,
    task_set TEXT NOT NULL
) STRICT;
CREATE INDEX task_by_name ON task (name);

CREATE TABLE result (
    task INTEGER NOT NULL REFERENCES task (key),
    program INTEGER NOT NULL REFERENCES program (key) ON DELETE CASCADE,
    demos INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    pairs TEXT NOT NULL,
    similarity INTEGER NOT NULL,
    work INTEGER NOT NULL,
    behaviour BLOB NOT NULL CHECK (length(behaviour) = 16),
    validated INTEGER,
    PRIMARY KEY (task, program)
) STRICT, WITHOUT ROWID;
CREATE INDEX result_by_program ON result (program);

CREATE TABLE differ (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE score (
    task INTEGER NOT NULL,
    program INTEGER NOT NULL,
    differ INTEGER NOT NULL REFERENCES differ (key),
    score INTEGER NOT NULL,
    PRIMARY KEY (task, program, differ),
    FOREIGN KEY (task, program) REFERENCES result (task, program) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE prediction (
    task INTEGER NOT NULL,
    program INTEGER NOT NULL,
    test INTEGER NOT NULL,
    grid TEXT NOT NULL,
    PRIMARY KEY (task, program, test),
    FOREIGN KEY (task, program) REFERENCES result (task, program) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE island (
    run INTEGER NOT NULL REFERENCES run (key),
    task INTEGER NOT NULL REFERENCES task (key),
    island INTEGER NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY (run, task, island)
) STRICT, WITHOUT ROWID;

CREATE TABLE population (
    run INTEGER NOT NULL,
    task INTEGER NOT NULL,
    island INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    program INTEGER NOT NULL REFERENCES program (key),
    PRIMARY KEY (run, task, island, rank),
    FOREIGN KEY (run, task, island) REFERENCES island (run, task, island) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX population_by_program ON population (program);

CREATE TABLE cache (
    id BLOB NOT NULL UNIQUE,
    value BLOB NOT NULL,
    seconds REAL NOT NULL,
    hits INTEGER NOT NULL
) STRICT;

CREATE TABLE pruned (
    reason TEXT NOT NULL PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW solution AS
    SELECT task.name AS task, lower(hex(program.id)) AS program, program.size, program.name, program.text
    FROM result JOIN task ON task.key = result.task JOIN program ON program.key = result.program
    WHERE result.demos > 0 AND result.solved = result.demos;

INSERT INTO program (id, name, text, size, cost, source, added) VALUES
    (x'20fcef00a57daf8cedccf540e3f73458f4cf9bc86c138a374c933af9fe6c7bc7', 'solve_old',
     'def solve(I):
    O = rot90(I)
    return O
', 1, 3, 'old.py', 1700000000);
INSERT INTO task (id, name, task_set) VALUES
    (x'0000000000000000000000000000000000000000000000000000000000000001', 'old', 'embedded');
INSERT INTO result (task, program, demos, solved, pairs, similarity, work, behaviour) VALUES
    (1, 1, 2, 1, '10', 750, 42, x'00000000000000000000000000000002');
