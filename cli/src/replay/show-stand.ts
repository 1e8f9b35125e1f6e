import { EchelonError } from 'echelon'
import { type Amounts, type AnyDefinition, type Entry, replayRun } from 'echelon/runtime'
import pc from 'picocolors'
import { stringify } from 'yaml'
import { cleanLines } from '../clean.ts'
import { definitionFor } from './definition.ts'
import type { PicturedStep } from './picture.ts'
import type { ReplayedFile } from './replayed-file.ts'

/** Lines of one part that are shown; of the rest it is said that it is there. */
const MOST_LINES = 80

/** Where a run stood after a step: what it saw there, what it had spent, and its state. */
export async function describeStand(file: ReplayedFile, step: PicturedStep): Promise<string> {
  return standAsText(step, await standAfter(file, step))
}

export const standAsText = (step: PicturedStep, stand: Stand): string =>
  [
    pc.bold(`after step ${step.n}`),
    part('seen', step.seen),
    part('spent', stand.spent),
    ...('state' in stand ? [part('state', stand.state)] : []),
  ].join('\n')

function part(name: string, value: unknown): string {
  const held: unknown = JSON.parse(JSON.stringify(value))
  const lines = cleanLines(stringify(held, { lineWidth: 100 }))
    .trimEnd()
    .split('\n')
  const more =
    lines.length > MOST_LINES
      ? [pc.dim(`… and ${lines.length - MOST_LINES} lines; --json has all`)]
      : []
  return [
    pc.cyan(name),
    ...[...lines.slice(0, MOST_LINES), ...more].map((line) => `  ${line}`),
  ].join('\n')
}

export interface Stand {
  readonly spent: unknown
  /** Nothing for a turn of a conversation that began before it, and for the run of a program. */
  readonly state?: unknown
}

/** From the journal alone. */
export async function standAfter(
  { record, about }: ReplayedFile,
  { run, seq }: PicturedStep,
): Promise<Stand> {
  const entries = record.entries.get(run) ?? []
  const started = entries.find((entry) => entry.type === 'started')
  const definition = about && started && (await definitionFor(record.path, about, started))
  return standIn(entries, definition, seq)
}

/** @param definition what decided; without it there is no state */
export function standIn(
  entries: readonly Entry[],
  definition: AnyDefinition | undefined,
  seq: number,
): Stand {
  const counted = { spent: spentUpTo(entries, seq) }
  if (definition === undefined) return counted
  try {
    for (const step of replayRun(definition, entries)) {
      if (step.seq === seq) return { spent: step.spent, state: step.moved.state }
    }
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
  }
  return counted
}

/** Each step says how the counters stand that it changed. */
function spentUpTo(entries: readonly Entry[], seq: number): Amounts {
  const last = entries.findIndex(
    (entry) => entry.type === 'closed' && entry.path === '' && entry.seq === seq,
  )
  const closed = entries.slice(0, last + 1).filter((entry) => entry.type === 'closed')
  return Object.assign({}, ...closed.map(({ spent }) => spent))
}
