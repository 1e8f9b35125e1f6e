import type { RunSummary } from '@echelon/store'
import pc from 'picocolors'
import { clean, cut } from '../terminal/clean.ts'
import { inputOf } from '../replay/picture.ts'
import { shortId } from './find-run.ts'
import { type InWords, lasting, standingOf } from './words.ts'
import type { Io } from '../io.ts'

const COLUMNS = 120

/** Minimum columns for the task; with less room it has its own line. */
const LEAST_ROOM = 24

export const PAINT: Readonly<Record<InWords['kind'], (text: string) => string>> = {
  works: pc.cyan,
  waits: pc.yellow,
  stopped: pc.magenta,
  good: pc.green,
  bad: pc.dim,
  broken: pc.red,
}

/** Formats runs as a table, newest first. */
export function describeList(
  io: Pick<Io, 'stdout'>,
  runs: readonly RunSummary[],
  now: number = Date.now(),
  columns: number = (io.stdout.columns ?? COLUMNS) - 1,
): string {
  const rows = runs.map((run) => ({
    id: shortId(run.id, runs),
    agent: clean(run.agent),
    standing: standingOf(run, now),
    age: run.status === 'damaged' ? '' : lasting(now - run.beganAt),
    input: run.status === 'damaged' ? '' : clean(inputOf(run.input)),
  }))
  const header: Row = { id: 'run', agent: 'agent', standing: HEADING, age: 'age', input: 'task' }
  const width = (cell: (row: Row) => string, most: number): number =>
    Math.min(most, Math.max(...[header, ...rows].map((row) => cell(row).length)))
  const id = width((row) => row.id, 36)
  const agent = width((row) => row.agent, 16)
  const state = width((row) => row.standing.text, 48)
  const age = width((row) => row.age, 8)
  const room = columns - (id + agent + state + age + 8)
  const line = (row: Row, paint: (text: string) => string): string => {
    const head = [
      row.id.padEnd(id),
      cut(row.agent, agent).padEnd(agent),
      paint(cut(row.standing.text, state).padEnd(state)),
      row.age.padStart(age),
    ].join('  ')
    if (room < LEAST_ROOM && row === header) return head
    return room < LEAST_ROOM
      ? `${head}\n  ${pc.dim(cut(row.input, columns - 2))}`
      : `${head}  ${cut(row.input, room)}`
  }
  const below = rows.map((row) => line(row, PAINT[row.standing.kind]))
  return [pc.dim(line(header, String)), ...below].join('\n')
}

type Row = Readonly<Record<'id' | 'agent' | 'age' | 'input', string>> & {
  readonly standing: InWords
}

const HEADING: InWords = { kind: 'good', text: 'status' }
