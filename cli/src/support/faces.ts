import pc from 'picocolors'
import type { RunEvent } from 'echelon/runtime'
import { plainFace } from '../chat/terminal/plain-face.ts'
import type { TerminalFace } from '../chat/terminal/terminal-face.ts'
import { type Desk, type DeskFace, type DeskTurn, problemOf, stageOf } from './desk.ts'
import type { Io } from '../io.ts'

/** What of a turn is told beside the answer: nothing of what models write before it is checked. */
const isTold = ({ type }: RunEvent): boolean =>
  type === 'step-start' || type === 'retry-wait' || type === 'model-warning'

type Told = Pick<Desk, 'session' | 'redact'>

/** On a terminal. */
export function terminalDeskFace(io: Io, face: TerminalFace, { redact }: Told): DeskFace {
  return {
    show(event) {
      if (event.type === 'said') face.tell(event.text)
      else if (isTold(event)) face.show(event)
    },
    end(turn) {
      if (turn.ended !== 'canceled') face.tell(turn.response.text)
      tellProblem(turn, face, redact)
      const hint = hintOf(turn)
      if (hint !== undefined) face.say(pc.dim(hint))
    },
    say(text) {
      if (text === '') io.stdout.write('\n')
      else face.say(text)
    },
    complain: (text) => face.complain(text),
  }
}

/** Through a pipe: what the customer reads on stdout, all else on stderr. */
export function plainDeskFace(io: Io, json: boolean, { session, redact }: Told): DeskFace {
  const face = plainFace(io, { json, approve: undefined })
  return {
    show(event) {
      if (event.type === 'said') {
        if (!json) face.say(event.text)
      } else if (isTold(event)) face.show(event)
    },
    end(turn) {
      if (json) io.stdout.write(`${JSON.stringify(turnAsJson(session, turn))}\n`)
      else if (turn.ended !== 'canceled') face.say(turn.response.text)
      tellProblem(turn, face, redact)
    },
    say: (text) => {
      if (text !== '') face.say(text)
    },
    complain: (text) => face.complain(text),
  }
}

/** Whoever sits at the terminal is the colleague too. */
function hintOf({ stages }: DeskTurn): string | undefined {
  const outcome = stageOf(stages, 'response_generated')?.['outcome']
  if (outcome === 'blocked') return 'as the colleague: /approve, or /decline and why'
  if (outcome === 'handed_over') return 'as the colleague: /back lets the agent answer again'
  return undefined
}

/** What the customer is not told, whoever sits here is. */
function tellProblem(
  turn: DeskTurn,
  face: Pick<DeskFace, 'complain'>,
  redact: (text: string) => string,
): void {
  const problem = problemOf(turn)
  if (turn.ended === 'canceled') face.complain('canceled')
  else if (problem !== undefined) face.complain(redact(problem))
}

/** A turn, for a program. */
const turnAsJson = (session: string, { response, said, ended, stages }: DeskTurn): object => ({
  session,
  ...response,
  said,
  ended,
  stages,
})
