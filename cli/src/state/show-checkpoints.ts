import type { Examined, StateChange } from 'echelon/runtime'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import { counted } from '../terminal/counted.ts'

/** Number of checkpoints and changes of each kind. */
export interface Summary {
  readonly checkpoints: number
  readonly would_load: number
  readonly upgraded: number
  readonly dropped: number
  readonly defaulted: number
  readonly migrated: number
  /** Refused states and agents. */
  readonly refused: number
}

export function summaryOf(examined: readonly Examined[]): Summary {
  const changes = examined.flatMap((one) => one.changes)
  const count = (type: StateChange['type']): number =>
    changes
      .filter((change) => change.type === type)
      .reduce((sum, change) => sum + ('names' in change ? change.names.length : 1), 0)
  return {
    checkpoints: examined.length,
    would_load: examined.filter(({ loads }) => loads).length,
    upgraded: count('upgraded'),
    dropped: count('dropped'),
    defaulted: count('added'),
    migrated: count('migrated'),
    refused: count('refused') + examined.filter(isAgentRefused).length,
  }
}

export const addSummaries = (one: Summary, other: Summary): Summary => ({
  checkpoints: one.checkpoints + other.checkpoints,
  would_load: one.would_load + other.would_load,
  upgraded: one.upgraded + other.upgraded,
  dropped: one.dropped + other.dropped,
  defaulted: one.defaulted + other.defaulted,
  migrated: one.migrated + other.migrated,
  refused: one.refused + other.refused,
})

const isAgentRefused = ({ check }: Examined): boolean =>
  check.type === 'refused' || check.type === 'unknown-agent'

/** Formats checkpoints: a heading for each, then one line per change. */
export function describeCheckpoints(examined: readonly Examined[]): string {
  return [...examined.map(describeCheckpoint), describeSummary(summaryOf(examined))].join('\n')
}

export function describeCheckpoint(one: Examined): string {
  const { kind, id, agent, steps, ended } = one
  const length = steps === null ? '' : `, ${counted(steps, 'step')}`
  const heading = pc.bold(clean(`${kind} ${id}  ${agent}${length}${ended ? ', ended' : ''}`))
  const lines = [agentLine(one), ...one.changes.flatMap(changeLines)]
  return [heading, ...lines.map((line) => `  ${line}`)].join('\n')
}

const line = (word: string, text: string, color: (text: string) => string = String): string =>
  `${color(word.padEnd(WIDEST))}  ${clean(text)}`

const WIDEST = 'unchecked'.length

function agentLine({ check, agent, ended }: Examined): string {
  switch (check.type) {
    case 'resumable':
      return line(
        'resumable',
        ended ? `${agent} returns the same result` : `${agent} decides as in the journal`,
        pc.green,
      )
    case 'unchecked':
      return line('unchecked', check.reason, pc.dim)
    case 'unknown-agent':
      return line('refused', `${check.reason} with --agent`, pc.red)
    case 'refused':
      return line('refused', check.reason, pc.red)
  }
}

function changeLines(change: StateChange): readonly string[] {
  switch (change.type) {
    case 'upgraded':
      return [line('upgraded', 'stored before states had versions; read as version 1', pc.yellow)]
    case 'dropped':
      return change.names.map((name) =>
        line('dropped', `${name}: no middleware uses this state any more`, pc.yellow),
      )
    case 'added':
      return change.names.map((name) =>
        line('defaulted', `${name}: not in the checkpoint; starts from its initial state`),
      )
    case 'migrated':
      return [line('migrated', `${change.key}: version ${change.from} to ${change.to}`)]
    case 'refused':
      return [line('refused', change.reason, pc.red)]
  }
}

export function describeSummary(summary: Summary): string {
  const { checkpoints, would_load, upgraded, dropped, defaulted, migrated, refused } = summary
  if (checkpoints === 0) return 'there is nothing to load'
  const counts = Object.entries({ upgraded, dropped, defaulted, migrated, refused })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
  const all = `${would_load} of ${checkpoints} would load`
  const verdict = would_load === checkpoints ? pc.green(all) : pc.red(all)
  return counts.length === 0 ? `${verdict}, nothing changed` : `${verdict}: ${counts.join(', ')}`
}
