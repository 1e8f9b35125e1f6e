import type { StoreFacts } from '@echelon/store'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import { megabytes } from '../terminal/megabytes.ts'
import type { FileReport } from './examine-file.ts'
import { describeCheckpoint, describeSummary } from './show-checkpoints.ts'

/** What a store's file holds, what is wrong with it, and what its runs would come to. */
export function describeFile(file: string, report: FileReport): string {
  const { store, summary, checkpoints, omitted } = report
  const lines = [pc.bold(clean(`${file}  ${versionOf(store)}, ${megabytes(store.bytes)}`))]
  if (store.damage.length > 0) {
    const damage = store.damage.map((line) => `  ${pc.red('damaged ')}  ${clean(line)}`)
    return [...lines, ...damage, pc.red(DAMAGED)].join('\n')
  }
  lines.push(
    ...store.damagedRows.map((row) => `  ${pc.red('damaged ')}  ${clean(row)}`),
    ...store.leftBackups.map(
      (part) => `  left by a killed backup, and may be deleted: ${clean(part)}`,
    ),
    ...factLines(store),
    ...checkpoints.map(describeCheckpoint),
  )
  if (omitted > 0) lines.push(`and ${omitted} more of which there is something to say`)
  const advice = store.damagedRows.length === 0 ? [] : [pc.red(DAMAGED_ROWS)]
  return [...lines, describeSummary(summary), ...advice].join('\n')
}

const DAMAGED =
  'the file is damaged and was not changed; put back a backup, or move it away to begin anew'

const DAMAGED_ROWS =
  'what is damaged is not used, and the rest is as it was; put back a backup to have it again'

function versionOf({ version, currentVersion }: StoreFacts): string {
  if (version === 0) return 'nothing is kept in it yet'
  return version === currentVersion
    ? `version ${version}`
    : `version ${version}, upgraded to ${currentVersion} when it is next used`
}

function factLines(store: StoreFacts): readonly string[] {
  if (store.version === 0) return []
  const { runs, sessions, cached, results, leases, prunable } = store
  const facts = {
    // A file that cannot be read is told without any of these.
    whole: store.damagedRows.length === 0 ? 'yes' : 'no',
    runs: `${list(runs)}; ${counted(store.openRequests, 'open request')}`,
    sessions: `${sessions.all} with ${counted(sessions.messages, 'message')}, ${sessions.disposable} disposable`,
    cache: `${counted(cached.all, 'answer')}, ${cached.expired} of them over`,
    results: `${results.all} by key, ${results.underWay} under way`,
    records: [
      counted(store.memories, 'memory', 'memories'),
      counted(store.events, 'event'),
      counted(store.artifacts, 'artifact'),
      counted(store.auditLines, 'audit line'),
    ].join(', '),
    leases: `${counted(leases.live, 'of a live process', 'of live processes')}, ${counted(leases.dead, 'of a dead one', 'of dead ones')}`,
    prunable: `${counted(prunable.runs, 'run that ended', 'runs that ended')}, ${megabytes(prunable.bytes)} of entries`,
  }
  return Object.entries(facts).map(([name, text]) => `  ${name.padEnd('prunable'.length)}  ${text}`)
}

const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
