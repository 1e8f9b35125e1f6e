import { createInterface } from 'node:readline'
import { cleanLines, cut, widthOf } from '../terminal/clean.ts'
import { STARTED_AS } from '../started-as.ts'
import type { Io } from '../io.ts'
import { type Display, type DisplayOptions, LATER } from './display.ts'
import { eventLine } from './event-line.ts'
import { questionOf, standing } from './question.ts'

/** Width of lines where no terminal tells one. */
const COLUMNS = 120

/**
 * A conversation through a pipe: answers on stdout, everything else on stderr. No one can be asked,
 * so nothing is approved unless `approve` says so.
 */
export function pipeDisplay(io: Io, { json = false, approve }: DisplayOptions): Display {
  const answer = (text: string): void => {
    if (!json && text !== '') io.stdout.write(`${cleanLines(text).trimEnd()}\n`)
  }
  const complain = (text: string): void => void io.stderr.write(`echelon: ${cleanLines(text)}\n`)
  return {
    isTerminal: false,
    show(event) {
      const line = json ? undefined : eventLine(event)
      if (line !== undefined) io.stderr.write(`${cut(line.text, widthOf(io.stderr, COLUMNS))}\n`)
    },
    async ask(about) {
      if (approve === 'later') return LATER
      const question = questionOf(about)
      const { tool, without } = question
      if (tool !== undefined && approve !== undefined) return standing(approve, question)
      complain(
        tool === undefined
          ? `a question cannot be answered here; run ${STARTED_AS} chat in a terminal`
          : `${tool} is not approved: nobody can be asked here; --approve always allows it`,
      )
      return without
    },
    answer,
    end(turn) {
      if (json) io.stdout.write(`${JSON.stringify(turn.json)}\n`)
      answer(turn.text)
      if (turn.problem !== undefined) complain(turn.problem)
    },
    say: (text) => void (json ? io.stderr : io.stdout).write(`${cleanLines(text)}\n`),
    complain,
    lines: () => pipedLines(io),
  }
}

async function* pipedLines({ stdin: input, ending: { signal } }: Io): AsyncGenerator<string> {
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity, signal })) {
      if (line.trim() !== '') yield line
    }
  } finally {
    // The writer may leave the pipe open, which would keep the process alive.
    input.destroy()
  }
}
