import type { StoreFacts } from '@echelon/store'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import { counted } from '../terminal/counted.ts'
import { megabytes } from '../terminal/megabytes.ts'
import type { FileReport } from './examine-file.ts'
import { describeCheckpoint, describeSummary } from './show-checkpoints.ts'

/** Formats the report on a store file: contents, damage, and what would happen to its runs. */
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
  if (omitted > 0) lines.push(`and ${omitted} more with changes or problems`)
  const advice = store.damagedRows.length === 0 ? [] : [pc.red(DAMAGED_ROWS)]
  return [...lines, describeSummary(summary), ...advice].join('\n')
}

const DAMAGED =
  'the file is damaged and was not changed; restore a backup, or move it away to start a new one'

const DAMAGED_ROWS =
  'damaged rows are not used, and the rest is intact; restore a backup to recover them'

function versionOf({ version, currentVersion }: StoreFacts): string {
  if (version === 0) return 'it is empty'
  return version === currentVersion
    ? `version ${version}`
    : `version ${version}, upgraded to ${currentVersion} when it is next used`
}

function factLines(store: StoreFacts): readonly string[] {
  if (store.version === 0) return []
  const { runs, sessions, cached, results, leases, prunable } = store
  const facts = {
    // Not reached for an unreadable file.
    whole: store.damagedRows.length === 0 ? 'yes' : 'no',
    runs: `${list(runs)}; ${counted(store.openRequests, 'open request')}`,
    sessions: `${sessions.all} with ${counted(sessions.messages, 'message')}, ${sessions.disposable} disposable`,
    cache: `${counted(cached.all, 'answer')}, ${cached.expired} of them expired`,
    results: `${results.all} by key, ${results.underWay} in progress`,
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
