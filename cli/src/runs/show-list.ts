import type { RunSummary } from 'echelon/stores'
import pc from 'picocolors'
import { clean, cut } from '../clean.ts'
import { inputOf } from '../replay/picture.ts'
import { shortId } from './find-run.ts'
import { type InWords, lasting, standingOf } from './words.ts'

const COLUMNS = 120

/** With less room than this the words that it began with have a line of their own. */
const LEAST_ROOM = 24

export const PAINT: Readonly<Record<InWords['kind'], (text: string) => string>> = {
  works: pc.cyan,
  waits: pc.yellow,
  stopped: pc.magenta,
  good: pc.green,
  bad: pc.dim,
}

/** Runs as a table for a person, newest first. */
export function describeList(
  runs: readonly RunSummary[],
  now: number = Date.now(),
  columns: number = (process.stdout.columns ?? COLUMNS) - 1,
): string {
  const rows = runs.map((run) => ({
    id: shortId(run.id, runs),
    agent: clean(run.agent),
    standing: standingOf(run, now),
    age: lasting(now - run.beganAt),
    input: clean(inputOf(run.input)),
  }))
  const width = (cell: (row: (typeof rows)[number]) => string, most: number): number =>
    Math.min(most, Math.max(0, ...rows.map((row) => cell(row).length)))
  const [id, agent] = [width((row) => row.id, 36), width((row) => row.agent, 16)]
  const [state, age] = [width((row) => row.standing.text, 48), width((row) => row.age, 8)]
  const room = columns - (id + agent + state + age + 8)
  return rows
    .map((row) => {
      const { kind, text } = row.standing
      const painted = PAINT[kind](cut(text, state).padEnd(state))
      const head = `${row.id.padEnd(id)}  ${cut(row.agent, agent).padEnd(agent)}  ${painted}  ${row.age.padStart(age)}`
      return room < LEAST_ROOM
        ? `${head}\n  ${pc.dim(cut(row.input, columns - 2))}`
        : `${head}  ${cut(row.input, room)}`
    })
    .join('\n')
}
