import type { Effect, Finish, SingleEffect } from '../../core/agent/effect.ts'
import type { Json } from '../../core/value/json.ts'
import type { Direct, Observation } from '../../core/agent/observation.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool-call.ts'

/** Longer texts are shortened. */
const LONGEST = 80

/** A text shortened to fit on a line. */
export const short = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).toWellFormed()}…`

const json = (value: Json): string => short(JSON.stringify(value))

const callText = ({ tool, input }: ToolCall): string => `${tool} ${json(input)}`

/** An effect, on one line. */
export function describeEffect(asked: Effect | Finish<unknown>): string {
  if (asked.type === 'finish') return `finish (${asked.reason})`
  if (asked.type === 'together') return asked.effects.map(describeOne).join(' and ')
  return describeOne(asked)
}

function describeOne(asked: SingleEffect): string {
  const { actor } = asked
  switch (asked.type) {
    case 'generate':
      return `${actor} asks the model ${asked.role}`
    case 'call-tools':
      return `${actor} calls ${asked.calls.map(callText).join(', ') || 'no tool'}`
    case 'permit':
      return `${actor} asks the rules about ${callText(asked.call)}`
    case 'ask':
      return `${actor} asks the user ${json(asked.question)}`
    case 'say':
      return `${actor} says ${json(asked.text)}`
    case 'recall':
      return `${actor} recalls ${asked.memory}`
    case 'remember':
      return `${actor} remembers ${json(asked.value)} in ${asked.memory}`
    case 'sleep':
      return `${actor} sleeps`
  }
}

/** An observation, on one line. */
export function describeSeen(seen: Observation): string {
  if (seen.type === 'together') return seen.observations.map(describeDirect).join(' and ')
  if (seen.type === 'heard') return `the user says ${json(seen.text)}`
  if (seen.type === 'canceled') return `canceled by ${seen.by}`
  return describeDirect(seen)
}

function describeDirect(seen: Direct): string {
  switch (seen.type) {
    case 'generated': {
      const calls =
        seen.calls.length === 0 ? '' : ` and calls ${seen.calls.map(callText).join(', ')}`
      return `it answers ${json(seen.text)}${calls} (${seen.finish})`
    }
    case 'tools-called':
      return seen.outcomes.map(outcomeText).join(', ') || 'nothing was called'
    case 'refused':
      return `refused by ${seen.by}: ${seen.limit}`
    case 'failed':
      return `failed: ${seen.error.code}`
    case 'permitted':
      return `the rules say ${seen.verdict.type}`
    case 'answered':
      return `the reply is ${json(seen.reply)}`
    case 'recalled':
      return `it is ${json(seen.value)}, version ${seen.version}`
    case 'remembered':
      return `kept as version ${seen.version}`
    case 'unanswered':
    case 'said':
    case 'woke':
      return seen.type
  }
}

function outcomeText(outcome: ToolOutcome): string {
  switch (outcome.type) {
    case 'ok':
      return `ok ${json(outcome.value)}`
    case 'error':
      return `error ${outcome.code}`
    case 'denied':
      return `denied: ${short(outcome.reason)}`
    case 'refused':
      return `refused by budget: ${outcome.limit}`
    case 'unknown':
      return 'unknown'
  }
}
