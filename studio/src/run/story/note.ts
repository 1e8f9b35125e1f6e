import type { Json, JsonObject, Observation, RunEvent } from 'echelon/client'
import { isObject, numberOf, objectOf, sentence, textOf } from './fields.ts'
import { roundGate } from './gate.ts'
import type { Moment, Place } from './moment.ts'
import { stageTitle } from './stage-title.ts'

type Generated = Extract<Observation, { readonly type: 'generated' }>

interface Where {
  readonly key: string
  readonly at: number
  readonly place: Place
  readonly model: string | undefined
  /** The evidence of the last verifier. */
  readonly evidence: string | undefined
}

/** The plan that an answer holds: JSON of the decision agent's form, or calls of tools. */
export function planIn({ text, calls }: Generated): Json | undefined {
  if (calls.length > 0) return calls.map(({ tool, input }) => ({ tool, input }))
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

/** Describes a model's answer in one sentence. */
export function titleOfPlan(seen: Generated): string {
  const plan = planIn(seen)
  const { model, calls } = seen
  if (calls.length > 0) return `${model} asks for ${calls.map(({ tool }) => tool).join(', ')}.`
  if (!isObject(plan)) return `${model} answers.`
  if (typeof plan['cannot'] === 'string') return `${model} says that it cannot.`
  const actions = plan['actions']
  if (!Array.isArray(actions)) return `${model} answers.`
  const tools = actions.map((action: Json) =>
    isObject(action) ? textOf(action, 'tool') : undefined,
  )
  return `${model} plans: ${tools.filter((tool) => tool !== undefined).join(', then ')}.`
}

/** The moment of a note, if it is one for people; the rest of a note is in the events. */
export function momentOfNote(
  { note: { stage, data } }: Extract<RunEvent, { readonly type: 'note' }>,
  where: Where,
): Moment | undefined {
  const { evidence, ...common } = where
  switch (stage) {
    case 'H_plan': {
      // The model's own moment tells of a plan.
      const trouble = TROUBLES[textOf(data, 'event') ?? '']
      if (trouble === undefined) return undefined
      const why = textOf(data, 'output_summary')
      const title = sentence(why === undefined ? trouble : `${trouble}: ${why}`)
      return { ...common, type: 'note', title, tone: 'bad', data: objectOf(data, 'details') }
    }
    case 'L_exec':
      return undefined
    case 'verify':
      return verdict(data, common)
    case 'act': {
      const gate = roundGate(data, evidence)
      const tone =
        gate.decision === 'accept' ? 'good' : gate.decision === 'promote' ? 'up' : 'plain'
      return { ...common, ...gate, type: 'gate', tone }
    }
    case 'escalate':
      return promotion(data, common)
    default:
      return {
        ...common,
        type: 'note',
        title: sentence(stageTitle(stage, isObject(data['payload']) ? data['payload'] : data)),
        tone: data['level'] === 'warning' || data['level'] === 'error' ? 'bad' : 'plain',
        data: isObject(data['payload']) ? data['payload'] : data,
      }
  }
}

type Known = Omit<Where, 'evidence'>

function verdict(data: JsonObject, common: Known): Moment {
  const event = textOf(data, 'event')
  const isGood = event === 'verified' || event === 'supported'
  const evidence = textOf(data, 'output_summary') ?? 'no reason was given'
  const found =
    event === 'verified' ? 'Verified' : event === 'supported' ? 'Supported' : 'Not verified'
  return {
    ...common,
    type: 'verdict',
    title: sentence(`${found}: ${evidence}`),
    tone: isGood ? 'good' : 'bad',
    evidence,
    score: numberOf(data, 'metric') ?? null,
    details: objectOf(data, 'details'),
  }
}

function promotion(data: JsonObject, common: Known): Moment {
  const to = textOf(objectOf(data, 'details'), 'to')
  if (to === undefined) {
    const title = sentence(textOf(data, 'output_summary') ?? 'No bigger model can be asked')
    return { ...common, type: 'note', title, tone: 'bad', data: objectOf(data, 'details') }
  }
  return {
    ...common,
    type: 'promotion',
    title: `The task goes from ${common.model ?? 'the model'} to ${to}.`,
    tone: 'up',
    model: to,
    from: common.model,
    to,
    told: undefined,
    isInPrompt: true,
  }
}

/** Reasons why there was no usable plan. */
const TROUBLES: Readonly<Record<string, string>> = {
  plan_schema_error: 'The plan has the wrong format',
  unknown_tool: 'The plan names a tool that does not exist',
  model_failed: 'The model failed',
}
