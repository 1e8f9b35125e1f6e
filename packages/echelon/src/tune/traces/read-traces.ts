import { Fields, unusable } from './fields.ts'
import { graderOf } from './grade.ts'
import { readAnswer } from './read-answer.ts'
import { readTask } from './read-task.ts'
import type { Trace } from './trace.ts'

/** The figures of each task stay in memory. */
const MOST_TRACES = 100_000
/** In characters. */
const LONGEST_LINE = 4 * 1024 * 1024

const FIELDS: readonly string[] = [
  'id',
  'question',
  'wanted',
  'gold',
  'group',
  'earlier',
  'tools',
  'sources',
  'today',
  'answers',
]

/**
 * Reads recorded answers, JSON Lines with one task a line, as they arrive; empty lines are skipped. At most 100,000
 * tasks and 4 Mi characters a line are read.
 * @param chunks the text of the file, in pieces of any size
 * @param name of the file, for messages
 * @throws EchelonError INVALID_INPUT that names the line, the field and what it must be
 */
export async function* readTraces(
  chunks: AsyncIterable<string>,
  name: string,
): AsyncGenerator<Trace> {
  const lines = new Map<string, number>()
  for await (const { text, number } of linesOf(chunks, name)) {
    if (text.trim() === '') continue
    const place = `${name}, line ${number}`
    const trace = readTrace(parsed(text, place), place, number)
    const before = lines.get(trace.id)
    if (before !== undefined) {
      throw unusable(place, `the id ${JSON.stringify(trace.id)} is already that of line ${before}`)
    }
    lines.set(trace.id, number)
    if (lines.size > MOST_TRACES) throw unusable(place, 'there are more than 100,000 tasks')
    yield trace
  }
}

/** @throws EchelonError INVALID_INPUT */
function readTrace(value: unknown, place: string, line: number): Trace {
  const row = new Fields(value, place, FIELDS)
  const id = row.required('id')
  const task = readTask(row)
  const grade = graderOf(row, task.wanted)
  const answers = (row.list('answers') ?? []).map((answer, at) =>
    readAnswer(answer, row.within(`answers[${at}]`), grade),
  )
  if (answers.length === 0) throw row.wrong('answers', 'a list of at least one answer')
  const models = answers.map(({ model }) => model)
  const twice = models.find((model, at) => models.indexOf(model) !== at)
  if (twice !== undefined) throw row.unusable(`\`answers\` has two of the model ${twice}`)
  return { line, id, group: row.text('group') ?? id, task, answers }
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw unusable(place, `is not JSON: ${reason.slice(0, 120)}`)
  }
}

interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

/** Holds one line at a time. */
async function* linesOf(chunks: AsyncIterable<string>, name: string): AsyncGenerator<Line> {
  let rest = ''
  let number = 0
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) yield { text: number === 0 ? unmarked(text) : text, number: ++number }
    if (rest.length > LONGEST_LINE) {
      throw unusable(`${name}, line ${number + 1}`, 'is longer than 4 Mi characters')
    }
  }
  if (rest !== '') yield { text: number === 0 ? unmarked(rest) : rest, number: number + 1 }
}

/** Removes a byte order mark, which some editors write. */
const unmarked = (text: string): string => text.replace(/^\uFEFF/, '')
