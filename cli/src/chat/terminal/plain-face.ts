import type { ChatEnd } from 'echelon/chat'
import type { Json, RunEvent } from 'echelon/runtime'
import { cleanLines, cut, widthOf } from '../../terminal/clean.ts'
import { endLine, eventLine } from '../event-line.ts'
import { questionOf, standing } from './read-reply.ts'
import type { AgentChoice } from '../agent-choice.ts'
import { type Face, LATER } from '../talk.ts'
import { STARTED_AS } from '../../started-as.ts'
import type { Io } from '../../io.ts'

/** What is answered to every request for approval; `later` leaves all that is asked open. */
export type Approve = NonNullable<AgentChoice['approve']>

/** How wide a line is that no terminal measures. */
const COLUMNS = 120

/**
 * A chat through a pipe: answers on stdout, one after the other, all else on stderr. Nobody can be
 * asked, so that nothing is approved unless `approve` says so.
 */
export function plainFace(
  io: Io,
  {
    json,
    approve,
  }: {
    readonly json: boolean
    readonly approve: Approve | undefined
  },
): Face {
  const note = (text: string): void => {
    io.stderr.write(`${cut(text, widthOf(io.stderr, COLUMNS))}\n`)
  }
  const complain = (text: string): void => {
    io.stderr.write(`echelon: ${cleanLines(text)}\n`)
  }
  return {
    show(event: RunEvent) {
      const line = eventLine(event)
      if (line !== undefined && !json) note(line.text)
    },
    async answer(about: Json) {
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
    end(end, model) {
      io.stdout.write(json ? `${JSON.stringify(turnAsJson(end, model))}\n` : said(end.text))
      const line = endLine(end)
      if (line !== undefined) complain(line)
    },
    say: (text) => (json ? io.stderr : io.stdout).write(`${cleanLines(text)}\n`),
    complain,
  }
}

const said = (text: string): string => (text === '' ? '' : `${cleanLines(text).trimEnd()}\n`)

/** What a turn was, for a program. */
const turnAsJson = (
  { text, reason, detail, usage, cost }: ChatEnd<unknown>,
  model: string,
): Readonly<Record<string, unknown>> => ({ text, reason, detail, model, usage, cost })
