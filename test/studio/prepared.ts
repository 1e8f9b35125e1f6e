import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Files that an operator puts beside a server: a data set, and recorded answers.
 */

const CASES = [
  { id: 'sum', input: 'What is 15 * 23?', gold_answer: '345' },
  { id: 'less', input: 'whats 1000 minus 387', gold_answer: '613' },
  { id: 'words', input: 'seven times eight', gold_answer: '56' },
] as const

/** Writes the data set `sums`; the known answer of one case can be changed, so that it goes otherwise. */
export function writeDataset(folder: string, less: string = CASES[1].gold_answer): string {
  mkdirSync(folder, { recursive: true })
  const cases = CASES.map((one) => (one.id === 'less' ? { ...one, gold_answer: less } : one))
  writeFileSync(join(folder, 'sums.json'), JSON.stringify(cases))
  return folder
}

const TASKS = 240

/** Writes the recorded answers `traffic` of two models: the more the small one hedges, the less it is right. */
export function writeTraces(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const lines = Array.from({ length: TASKS }, (_, at) => {
    const hedges = at % 6
    const isRight = (at * 7) % 12 >= hedges * 2
    const answer = `${'perhaps '.repeat(hedges)}the answer is ${at}`
    return JSON.stringify({
      id: `task-${at}`,
      question: `How many is number ${at}?`,
      answers: [
        { model: 'test/small', text: answer, ok: isRight, cost: 0.0004, latency_s: 0.6 },
        { model: 'test/big', text: `It is ${at}.`, ok: at % 17 !== 0, cost: 0.011, latency_s: 2.4 },
      ],
    })
  })
  writeFileSync(join(folder, 'traffic.jsonl'), `${lines.join('\n')}\n`)
  return folder
}
