import { isJsonObject, type Observation } from 'echelon/runtime'
import pc from 'picocolors'
import { describeCall, describeOutcome } from '../conversation/describe-tool.ts'
import { clean, cut } from '../terminal/clean.ts'
import { dollars } from '../terminal/dollars.ts'
import type { PicturedRequest, PicturedStep } from './picture.ts'

/** Minimum columns for the outcome of a step; with less room it has its own line. */
const LEAST_ROOM = 40

/**
 * Formats one step in columns. The outcome comes last, cut to the line; questions to a person follow
 * below.
 */
export function describeStep(step: PicturedStep, columns: number): string {
  const { n, path, seq, seen, began, targets, asked, seconds, spent } = step
  const number = n === undefined ? `${path}${seq}` : String(n)
  const actor = clean(began?.actor ?? '')
  const head = [
    number.padStart(4),
    cut(actor, 10).padEnd(10),
    cut(whatOf(step), 30).padEnd(30),
    `${seconds.toFixed(2)} s`.padStart(9),
    (spent['tokens'] === undefined ? '' : `${spent['tokens']} tok`).padStart(10),
    (spent['money'] === undefined || spent['money'] === 0 ? '' : dollars(spent['money'])).padStart(
      9,
    ),
  ].join(' ')
  const below = asked.map((one) => indented(`? ${clean(describeRequest(one))}`, columns))
  const room = columns - head.length - 2
  const outcome = outcomeOf(seen, targets)
  const shown = (text: string): string => (isGood(seen) ? text : pc.yellow(text))
  const lines =
    room < LEAST_ROOM
      ? [head.trimEnd(), ...below, ...(outcome === '' ? [] : [shown(indented(outcome, columns))])]
      : [`${head}  ${shown(cut(outcome, room))}`, ...below]
  return lines.map((line) => (n === undefined ? pc.dim(line) : line)).join('\n')
}

const indented = (text: string, columns: number): string => `     ${cut(text, columns - 5)}`

/** One line with a question to a person and its answer. */
function describeRequest({ about, reply }: PicturedRequest): string {
  const { tool, question } = isJsonObject(about) ? about : {}
  const asked =
    typeof tool === 'string'
      ? `may ${tool} run?`
      : typeof question === 'string'
        ? question
        : JSON.stringify(about)
  const said = typeof reply === 'string' ? reply : JSON.stringify(reply)
  return `${asked} ${reply === undefined ? 'not answered' : said}`
}

/** Describes the step's effect in words. */
function whatOf({ seen, began, targets: all }: PicturedStep): string {
  const targets = clean(all.join(', '))
  switch (began?.effect ?? seen.type) {
    case 'generate':
    case 'generated':
      return `asks ${targets || modelOf(seen)}`
    case 'call-tools':
    case 'tools-called':
      return `calls ${targets || 'tools'}`
    case 'permit':
    case 'permitted':
      return `checks the rules for ${targets}`
    case 'ask':
    case 'answered':
    case 'unanswered':
      return 'asks the user'
    case 'say':
    case 'said':
      return 'says'
    case 'recall':
    case 'recalled':
      return `recalls ${targets}`
    case 'remember':
    case 'remembered':
      return `remembers ${targets}`
    case 'sleep':
    case 'woke':
      return 'sleeps'
    case 'together':
      return `several at once: ${targets}`
    case 'heard':
      return 'receives user input'
    case 'canceled':
      return 'is canceled'
    case 'refused':
    case 'failed':
      return 'tries'
  }
}

const modelOf = (seen: Observation): string => (seen.type === 'generated' ? clean(seen.model) : '')

/** Outcome of a step on one line. */
function outcomeOf(seen: Observation, targets: readonly string[]): string {
  switch (seen.type) {
    case 'generated':
      return [clean(seen.text.trim()), ...seen.calls.map((call) => `→ ${describeCall(call)}`)]
        .filter((part) => part !== '')
        .join(' ')
    case 'tools-called':
      return seen.outcomes
        .map((outcome, index) => describeOutcome(targets[index] ?? '', outcome))
        .join('  ')
    case 'refused':
      return clean(`refused: ${seen.message}`)
    case 'failed':
      return clean(`${seen.error.code}: ${seen.error.message}`)
    case 'permitted':
      return clean(JSON.stringify(seen.verdict))
    case 'answered':
      return clean(JSON.stringify(seen.reply))
    case 'recalled':
      return clean(JSON.stringify(seen.value))
    case 'remembered':
      return `version ${seen.version}`
    case 'heard':
      return clean(seen.text)
    case 'canceled':
      return `by ${seen.by}`
    case 'together':
      return seen.observations.map((one) => outcomeOf(one, [])).join('  |  ')
    case 'unanswered':
    case 'said':
    case 'woke':
      return ''
  }
}

const isGood = (seen: Observation): boolean =>
  seen.type === 'tools-called'
    ? seen.outcomes.every(({ type }) => type === 'ok')
    : !['refused', 'failed', 'unanswered', 'canceled'].includes(seen.type)
