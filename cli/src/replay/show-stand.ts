import { isDeepStrictEqual } from 'node:util'
import {
  EchelonError,
  type Amounts,
  type AnyDefinition,
  type Entry,
  isJson,
  isJsonObject,
  type Json,
  listSteps,
  stateAt,
  type Thread,
} from 'echelon/runtime'
import pc from 'picocolors'
import { stringify } from 'yaml'
import { clean, cleanLines } from '../terminal/clean.ts'
import { fold } from '../terminal/fold.ts'
import { definitionFor } from './definition.ts'
import type { PicturedStep } from './picture.ts'
import type { ReplayedFile } from './replayed-file.ts'
import type { Io } from '../io.ts'

/** Most lines to show of one part; the rest is counted. */
const MOST_LINES = 80

/** Formats a run after a step: what it saw, what it had spent, and its state. */
export async function describeStand(
  io: Io,
  file: ReplayedFile,
  step: PicturedStep,
): Promise<string> {
  return standAsText(step, await standAfter(io, file, step))
}

export const standAsText = (step: PicturedStep, stand: Stand): string =>
  [
    pc.bold(`after step ${step.n}`),
    part('seen', step.seen),
    part('spent', stand.spent),
    ...('state' in stand ? [part('state', stand.state)] : []),
    ...(stand.stateless === undefined
      ? []
      : [`${pc.cyan('state')}\n  ${pc.dim(`unknown: ${clean(stand.stateless)}`)}`]),
  ].join('\n')

/** Messages, calls and outcomes stay unfolded; the data in them is folded. */
const isSaid = (item: Json): boolean =>
  isJsonObject(item) && ['role', 'type', 'tool'].some((name) => typeof item[name] === 'string')

function part(name: string, value: unknown): string {
  const held: unknown = JSON.parse(JSON.stringify(value))
  const folded = isJson(held) ? fold(held, { isSaid }) : held
  const lines = cleanLines(stringify(folded, { lineWidth: 100 }))
    .trimEnd()
    .split('\n')
  const more =
    lines.length > MOST_LINES
      ? [pc.dim(`… and ${lines.length - MOST_LINES} more lines; --json prints all`)]
      : isDeepStrictEqual(folded, held)
        ? []
        : [pc.dim('--json prints all of it')]
  return [
    pc.cyan(name),
    ...[...lines.slice(0, MOST_LINES), ...more].map((line) => `  ${line}`),
  ].join('\n')
}

export interface Stand {
  readonly spent: Amounts
  /** Undefined if unknown, such as in a run of a program. */
  readonly state?: unknown
  /** Why the state is unknown. */
  readonly stateless?: string
}

/** Computed from the journal alone. */
export async function standAfter(
  io: Io,
  { record, about }: ReplayedFile,
  { run, seq }: PicturedStep,
): Promise<Stand> {
  const entries = record.entries.get(run) ?? []
  const started = entries.find((entry) => entry.type === 'started')
  const definition = about && started && (await definitionFor(io, record.path, about, started))
  return standIn(entries, seq, { definition })
}

/** Inputs for computing a state. */
export interface Known {
  /** The agent's definition; without it there is no state. */
  readonly definition: AnyDefinition | undefined
  /** The conversation that the run was a turn of. */
  readonly history?: Thread | undefined
}

export function standIn(
  entries: readonly Entry[],
  seq: number,
  { definition, history }: Known,
): Stand {
  const spent = listSteps(entries).find((step) => step.seq === seq)?.spent ?? {}
  if (definition === undefined) return { spent, stateless: 'its agent is not known here' }
  try {
    const state = stateAt(definition, entries, seq + 1, history && { history })
    return { spent, state }
  } catch (error) {
    if (!(error instanceof EchelonError)) throw error
    return { spent, stateless: error.message }
  }
}
