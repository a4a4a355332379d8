//! What an archive says of itself that cannot be so.
//!
//! Some columns follow from others: how many demos fit from the outcome of each, a run's id from its
//! settings, the number of generations from the generations. Nothing is run for this; what takes a program
//! and a task to find out is `arcloom`'s `verify`.

use std::collections::{BTreeMap, BTreeSet};

use arcloom_tasks::TaskId;
use arcloom_value::FixedMap;
use rusqlite::types::Value;

use crate::archive::Archive;
use crate::error::Result;
use crate::record::{NewRun, RunNumber};
use crate::write::run_id;

/// Most lines of one kind: the first ones say what is wrong.
const MOST: usize = 100;

/// Statements whose rows are problems, each one line of text.
const CHECKS: &[&str] = &[
    // What follows from `pairs`.
    "SELECT 'program ' || lower(hex(program.id)) || ' on ' || task.name || ': stored are ' || solved \
       || ' of ' || demos || ' demos, which is not what its pairs `' || substr(pairs, 1, 40) || '` say' \
     FROM result JOIN program ON program.key = result.program JOIN task ON task.key = result.task \
     WHERE demos <> length(pairs) OR solved <> length(replace(pairs, '0', '')) \
       OR pairs GLOB '*[^01]*'",
    "SELECT 'program ' || lower(hex(program.id)) || ' on ' || task.name || ': has a similarity of ' \
       || similarity || ' and ' || work || ' work units' \
     FROM result JOIN program ON program.key = result.program JOIN task ON task.key = result.task \
     WHERE similarity NOT BETWEEN 0 AND 1000 OR work < 0",
    "SELECT 'program ' || lower(hex(program.id)) || ' on ' || task.name || ': validated is ' || validated \
       || ', with ' || solved || ' of ' || demos || ' demos' \
     FROM result JOIN program ON program.key = result.program JOIN task ON task.key = result.task \
     WHERE validated NOT IN (0, 1) OR validated NOT NULL AND (demos = 0 OR solved < demos)",
    "SELECT 'program ' || lower(hex(program.id)) || ' on ' || task.name || ': the score of ' \
       || differ.name || ' is ' || score FROM score JOIN program ON program.key = score.program \
     JOIN task ON task.key = score.task JOIN differ ON differ.key = score.differ \
     WHERE score NOT BETWEEN 0 AND 1000",
    // Programs and the runs that made them.
    "SELECT 'program ' || lower(hex(program.id)) || ': is of generation ' \
       || coalesce(program.generation, 'nothing') || ' of a run with ' || run.generations \
     FROM program JOIN run ON run.key = program.run \
     WHERE program.generation IS NULL AND run.kind != 'solve' \
       OR program.generation NOT BETWEEN 0 AND run.generations - 1",
    "SELECT 'program ' || lower(hex(id)) || ': has ' || size || ' calls and a cost of ' || cost \
     FROM program WHERE size < 0 OR cost < 0",
    // Runs and their generations.
    "SELECT 'run ' || lower(hex(run.id)) || ': has ' || generations || ' generations, stored are ' \
       || count(number) || ', the last with number ' || coalesce(max(number), 'none') \
     FROM run LEFT JOIN generation ON generation.run = run.key GROUP BY run.key \
     HAVING generations <> count(number) OR generations <> coalesce(max(number) + 1, 0) \
       OR coalesce(min(number), 0) <> 0",
    "SELECT 'generation ' || number || ' of run ' || lower(hex(run.id)) || ': stored are ' \
       || new_programs || ' new programs, and it made ' || made FROM \
     (SELECT run, generation, count(*) AS made FROM program WHERE run NOT NULL GROUP BY run, generation) \
     AS p JOIN generation AS g ON g.run = p.run AND g.number = p.generation \
     JOIN run ON run.key = g.run WHERE made > new_programs",
    "SELECT 'generation ' || number || ' of run ' || lower(hex(run.id)) || ': has ' || evaluations \
       || ' evaluations, ' || new_programs || ' new programs and ' || solved || ' tasks solved' \
     FROM generation JOIN run ON run.key = generation.run \
     WHERE evaluations < 0 OR new_programs < 0 OR solved < 0 OR coalesce(memory, 0) < 0",
    "SELECT 'generation ' || number || ' of run ' || lower(hex(run.id)) \
       || ': its stats are no JSON object' \
     FROM generation JOIN run ON run.key = generation.run \
     WHERE CASE WHEN json_valid(stats) THEN json_type(stats) <> 'object' ELSE 1 END",
    "SELECT 'generation ' || number || ' of run ' || lower(hex(run.id)) || ': has ' || solved \
       || ' tasks solved, the one before ' || before FROM \
     (SELECT run AS of, number, solved, lag(solved) OVER (PARTITION BY run ORDER BY number) AS before \
      FROM generation) JOIN run ON run.key = of WHERE before > solved",
    "SELECT 'operator ' || operator || ' in generation ' || generation || ' of run ' \
       || lower(hex(run.id)) || ': was applied ' || applied || ' times, ' || valid || ' valid, ' || new \
       || ' new, ' || improving || ' improving, which does not follow the generation before' FROM \
     (SELECT run AS of, operator, generation, applied, valid, new, improving, \
        lag(applied, 1, 0) OVER w AS a, lag(valid, 1, 0) OVER w AS v, lag(new, 1, 0) OVER w AS n, \
        lag(improving, 1, 0) OVER w AS i \
      FROM operator WINDOW w AS (PARTITION BY run, operator ORDER BY generation)) \
     JOIN run ON run.key = of \
     WHERE applied < a OR valid < v OR new < n OR improving < i \
       OR valid > applied OR new > valid OR improving > new",
    "SELECT 'operator ' || operator || ' of run ' || lower(hex(run.id)) || ': is in ' || times || ' of ' \
       || there || ' generations' FROM \
     (SELECT run AS of, operator, count(*) AS times FROM operator GROUP BY run, operator) JOIN \
     (SELECT run AS whose, count(DISTINCT generation) AS there FROM operator GROUP BY run) \
       ON whose = of JOIN run ON run.key = of WHERE times <> there",
    // What is alive.
    "SELECT 'the population of ' || task.name || ' on island ' || island || ' of run ' \
       || lower(hex(run.id)) || ': has a gap in its ranks' FROM \
     (SELECT run AS of, task AS at, island, count(*) AS members, max(rank) AS last, min(rank) AS first \
      FROM population GROUP BY run, task, island) \
     JOIN run ON run.key = of JOIN task ON task.key = at WHERE members <> last + 1 OR first <> 0",
    "SELECT 'program ' || lower(hex(program.id)) || ': is alive for ' || task.name \
       || ' and has no result on it' \
     FROM population JOIN program ON program.key = population.program \
     JOIN task ON task.key = population.task WHERE NOT EXISTS (SELECT 1 FROM result \
       WHERE result.task = population.task AND result.program = population.program)",
    // What is handed in.
    "SELECT 'what is handed in for ' || task.name || ': fits ' || fits || ' of ' || demos \
       || ' demos, with a similarity of ' || similarity \
     FROM standing JOIN task ON task.key = standing.task \
     WHERE fits NOT BETWEEN 0 AND demos OR similarity NOT BETWEEN 0 AND 1000",
    "SELECT 'what is handed in for ' || task.name || ': test ' || test || ' has no first attempt' \
     FROM attempt AS a JOIN task ON task.key = a.task WHERE rank = 2 AND NOT EXISTS (SELECT 1 FROM \
       attempt AS b WHERE b.task = a.task AND b.test = a.test AND b.rank = 1)",
    "SELECT 'what is handed in for ' || task.name || ': both attempts at test ' || a.test \
       || ' are the same' FROM attempt AS a JOIN attempt AS b ON b.task = a.task AND b.test = a.test \
     JOIN task ON task.key = a.task WHERE a.rank = 1 AND b.rank = 2 AND a.grid = b.grid",
    "SELECT 'what is handed in for ' || task.name || ': there is a test ' || test \
     FROM attempt JOIN task ON task.key = attempt.task WHERE test NOT BETWEEN 0 AND 65535",
    "SELECT 'pruning took out ' || count || ' rows (' || reason || ')' FROM pruned WHERE count < 0",
];

impl Archive {
    /// Looks for what contradicts itself. Empty when all is well.
    pub fn audit(&self) -> Result<Vec<String>> {
        let _moment = self.snapshot()?;
        let mut problems = Vec::new();
        for check in CHECKS {
            let sql = format!("{check} LIMIT {MOST}");
            problems.extend(self.rows(&sql, [], |row| row.get::<_, String>(0))?);
        }
        problems.extend(self.run_problems()?);
        problems.extend(self.circles()?);
        Ok(problems)
    }

    /// Whether pruning has ever taken something out.
    pub fn was_pruned(&self) -> Result<bool> {
        self.one("SELECT count(*) FROM pruned WHERE count > 0", []).map(|rows| rows > 0)
    }

    fn run_problems(&self) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        for run in self.runs()? {
            let (seed, config, version) = (run.seed, run.config.clone(), run.version.clone());
            let new = NewRun { seed, config, version, ..NewRun::default() };
            let id = blake3::Hash::from_bytes(run.id).to_hex();
            if run_id(&new, run.repeat) != run.id {
                problems.push(format!(
                    "run {id}: is not the run of its seed, configuration, version and repeat"
                ));
            }
            problems.extend(self.member_problems(run.number, run.generations, &id)?);
            problems.extend(self.last_generation_problem(run.number, &id)?);
        }
        Ok(problems)
    }

    /// The generations in which members came up, which `island.state` says.
    fn member_problems(&self, run: RunNumber, generations: u64, id: &str) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        let sql = "SELECT id, generation FROM program WHERE run = ?1 AND generation NOT NULL";
        let row = |row: &rusqlite::Row<'_>| {
            Ok((crate::read::program_id(row, 0)?, crate::read::count(row, 1)?))
        };
        let stored: FixedMap<_, u64> = self.rows(sql, [run.0], row)?.into_iter().collect();
        for population in self.populations(run)? {
            let members = population.members.len();
            let (at, rest) = population.state.as_chunks::<8>();
            // Of a run that is finished the members may be gone.
            let whole = members == 0 || at.len() == members && rest.is_empty();
            let at = at.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let possible = population.members.iter().zip(at).all(|(member, at)| {
                at < generations && stored.get(member).is_none_or(|&first| first <= at)
            });
            if !whole || !possible {
                problems.push(format!(
                    "the population of task {} on island {} of run {id}: its state is not that of its members",
                    population.task, population.island
                ));
            }
        }
        Ok(problems)
    }

    /// How many are alive, which the last generation counts, and how many there are.
    fn last_generation_problem(&self, run: RunNumber, id: &str) -> Result<Option<String>> {
        let alive = self.one("SELECT count(*) FROM population WHERE run = ?1", [run.0])?;
        let sql = "SELECT CASE WHEN json_valid(stats) THEN json_extract(stats, '$.alive') END \
                   FROM generation WHERE run = ?1 ORDER BY number DESC LIMIT 1";
        let counted = self.rows(sql, [run.0], |row| row.get::<_, Value>(0))?.pop();
        // A run that has just begun has no generation, and an earlier version did not count.
        let Some(Value::Integer(counted)) = counted else { return Ok(None) };
        // Of a finished run pruning may have taken the populations.
        let wrong = alive > 0 && counted != alive.cast_signed();
        Ok(wrong.then(|| {
            format!("run {id}: its last generation counts {counted} programs alive, {alive} are")
        }))
    }

    /// Populations whose members are not in order by their stored results: by run, task and island. Where
    /// the results are another run's this may be as it should.
    pub fn populations_out_of_order(&self) -> Result<BTreeSet<(RunNumber, TaskId, u32)>> {
        let sql = "SELECT of, task.id, island FROM ( \
               SELECT run AS of, population.task AS at, island, solver, solved, near, less, \
                 lag(solver) OVER w AS a, lag(solved) OVER w AS b, lag(near) OVER w AS c, \
                 lag(less) OVER w AS d FROM ( \
                   SELECT population.*, solved, -size AS less, max(similarity - size, 0) AS near, \
                     solved = demos AND demos > 0 AND coalesce(validated, 1) <> 0 AS solver \
                   FROM population JOIN program ON program.key = population.program \
                   JOIN result ON result.task = population.task \
                     AND result.program = population.program) AS population \
               WINDOW w AS (PARTITION BY run, population.task, island ORDER BY rank)) \
             JOIN task ON task.key = at WHERE a NOT NULL AND (solver, solved, near, less) > (a, b, c, d)";
        let row = |row: &rusqlite::Row<'_>| {
            Ok((RunNumber(row.get(0)?), TaskId(row.get(1)?), row.get::<_, u32>(2)?))
        };
        Ok(self.rows(sql, [], row)?.into_iter().collect())
    }

    /// For each run with populations the tasks that its last generation says are solved, and those that
    /// are by the stored results of what is alive.
    pub fn solved_by_population(&self) -> Result<Vec<(RunNumber, u64, u64)>> {
        let sql = "SELECT run.key, \
               (SELECT solved FROM generation WHERE run = run.key ORDER BY number DESC LIMIT 1), \
               (SELECT count(DISTINCT population.task) FROM population JOIN result \
                  ON result.task = population.task AND result.program = population.program \
                WHERE run = run.key AND rank = 0 AND demos > 0 AND solved = demos \
                  AND coalesce(validated, 1) <> 0) \
             FROM run WHERE EXISTS (SELECT 1 FROM population WHERE run = run.key) \
               AND EXISTS (SELECT 1 FROM generation WHERE run = run.key)";
        let row = |row: &rusqlite::Row<'_>| {
            let count = crate::read::count;
            Ok((RunNumber(row.get(0)?), count(row, 1)?, count(row, 2)?))
        };
        self.rows(sql, [], row)
    }

    /// Programs that are among their own ancestors.
    fn circles(&self) -> Result<Vec<String>> {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
        let edges = self.rows("SELECT child, parent FROM parent ORDER BY child", [], row)?;
        // Whoever has no parents left is taken away, again and again; who stays is in a circle, or made
        // from one that is.
        let mut waits: BTreeMap<i64, usize> = BTreeMap::new();
        let mut children: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for &(child, parent) in &edges {
            *waits.entry(child).or_default() += 1;
            waits.entry(parent).or_default();
            children.entry(parent).or_default().push(child);
        }
        let mut free: Vec<i64> =
            waits.iter().filter(|(_, n)| **n == 0).map(|(key, _)| *key).collect();
        let mut taken = 0;
        while let Some(key) = free.pop() {
            taken += 1;
            for child in children.get(&key).into_iter().flatten() {
                if let Some(left) = waits.get_mut(child) {
                    *left -= 1;
                    if *left == 0 {
                        free.push(*child);
                    }
                }
            }
        }
        let left = waits.len() - taken;
        Ok((left > 0)
            .then(|| format!("lineage: {left} programs are, or come from, their own ancestors"))
            .into_iter()
            .collect())
    }
}
