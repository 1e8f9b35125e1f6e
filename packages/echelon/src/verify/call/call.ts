import { labelOf } from '../../core/message/untrusted-text.ts'
import type { ToolCall } from '../../core/tool/tool-call.ts'
import type { Answer, Attempt } from '../answer.ts'
import { type Judgment, refuted, scored, silent, type Verifier } from '../verifier.ts'
import {
  leavesOf,
  misfits,
  type Relevance,
  relevanceOf,
  repeated,
  saidShare,
  toldBy,
  unused,
} from './evidence.ts'

/**
 * Judges a model's tool calls by their schema and by the question. Refuted if a tool is not known, or if an argument
 * is missing or does not fit its schema. Scored by the evidence against them: values that the conversation does not
 * hold, numbers of the question that no argument holds, calls that add nothing, and a tool whose name and
 * description share few words with the question. The score is a plain product, and no probability; fit one with
 * `calibratedScore`. For an answer in words, it scores if calls were wanted, and is silent otherwise.
 *
 * Features: `call.none`, 1 if nothing is called; `call.calls`, the number of calls; `call.kinds`, the share of the
 * offered tools that are called; `call.invented`, the share of values that the conversation does not hold, without
 * stated defaults; `call.inventedNumbers` and `call.inventedWords`, how many; `call.unused`, the share of the
 * question's numbers that no argument holds, and `call.unusedNumbers`, how many; `call.repeated`, the calls that add
 * nothing; `call.name`, `call.description` and `call.covered`, the words that the called tools share with the
 * question (the least of the calls); `call.passedOver`, 1 if a tool that is not called shares more; `call.parts`,
 * the sentences and enumerations of the question beyond the calls, 0 or more.
 */
export function call(): Verifier {
  return {
    name: 'call',
    features: NAMES,
    verify({ task, answer }) {
      const calls = callsOf(answer)
      if (calls.length === 0) return withoutCalls({ task, answer, made: [] })
      const wrong = misfits(calls, task.tools ?? [])
      const found = featuresOf(task, calls)
      const [first] = wrong
      if (first !== undefined)
        return refuted(`a call does not fit its tool: ${labelOf(first)}`, found)
      return scored(scoreOf(found), reasonOf(found), found)
    },
  }
}

const NAMES: readonly string[] = [
  'call.none',
  'call.calls',
  'call.kinds',
  'call.invented',
  'call.inventedNumbers',
  'call.inventedWords',
  'call.unused',
  'call.unusedNumbers',
  'call.repeated',
  'call.name',
  'call.description',
  'call.covered',
  'call.passedOver',
  'call.parts',
]

const callsOf = (answer: Answer): readonly ToolCall[] =>
  answer.type === 'calls' ? answer.calls : []

function withoutCalls({ task }: Attempt): Judgment {
  const features = { ...featuresOf(task, []), 'call.none': 1 }
  if (task.wanted.kind !== 'calls') return silent('the answer calls no tool', features)
  const { tools = [] } = task
  const told = toldBy(task)
  const best = Math.max(0, ...tools.map((tool) => fitness(relevanceOf(tool, told))))
  return scored(1 - best, 'it calls no tool', features)
}

function featuresOf(task: Attempt['task'], calls: readonly ToolCall[]): Judgment['features'] {
  const { tools = [], question } = task
  const told = toldBy(task)
  const leaves = leavesOf(calls, tools)
  const checked = leaves
    .filter(({ isDefault }) => !isDefault)
    .map((leaf) => ({ leaf, said: saidShare(leaf, told) }))
  const invented = checked.map(({ said }) => 1 - said)
  const inventedOf = (type: 'number' | 'string'): number =>
    checked.filter(({ leaf, said }) => typeof leaf.value === type && !leaf.isListed && said < 0.5)
      .length
  const left = unused(told, leaves)
  const called = new Set(calls.map(({ tool }) => tool))
  const relevances = [...called].map((name) =>
    relevanceOf(
      tools.find((tool) => tool.name === name),
      told,
      leaves,
    ),
  )
  const least = (of: (relevance: Relevance) => number): number =>
    relevances.length === 0 ? 0 : Math.min(...relevances.map(of))
  const others = tools.filter(({ name }) => !called.has(name))
  const passedOver = others.some(
    (tool) => fitness(relevanceOf(tool, told)) > least(fitness) && calls.length > 0,
  )
  return {
    'call.none': 0,
    'call.calls': calls.length,
    'call.kinds': tools.length === 0 ? 0 : called.size / tools.length,
    'call.invented': invented.length === 0 ? 0 : sum(invented) / invented.length,
    'call.inventedNumbers': inventedOf('number'),
    'call.inventedWords': inventedOf('string'),
    'call.unused': told.figures.length === 0 ? 0 : left.length / told.figures.length,
    'call.unusedNumbers': left.length,
    'call.repeated': repeated(calls),
    'call.name': least(({ name }) => name),
    'call.description': least(({ description }) => description),
    'call.covered': least(({ covered }) => covered),
    'call.passedOver': Number(passedOver),
    'call.parts': Math.max(0, partsIn(question) - calls.length),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Similarity of a tool and the question by words alone, 0 to 1. */
const fitness = ({ name, description }: Relevance): number => (name + description) / 2

/** Estimates how many things a question asks for: its sentences, and the items joined by "and". */
function partsIn(question: string): number {
  const text = question.slice(0, 20_000)
  const sentences = text.split(/[.?!]\s+|\n+/).filter((part) => /\p{L}/u.test(part)).length
  return sentences + (text.match(/,? (?:and|then|also) /gi) ?? []).length
}

function scoreOf(features: Judgment['features']): number {
  const of = (name: string): number => features[`call.${name}`] ?? 0
  const relevant = 0.5 + 0.5 * Math.min(1, 2 * of('covered'))
  return (1 - of('invented')) * (1 - of('unused') / 2) * relevant * 0.5 ** of('repeated')
}

function reasonOf(features: Judgment['features']): string {
  const of = (name: string): number => features[`call.${name}`] ?? 0
  const against = [
    ...(of('inventedNumbers') + of('inventedWords') > 0
      ? ['it passes values that nobody named']
      : []),
    ...(of('unusedNumbers') > 0 ? ['it leaves out numbers of the question'] : []),
    ...(of('repeated') > 0 ? ['it repeats a call'] : []),
    ...(of('name') + of('description') === 0 ? ['its tool shares no word with the question'] : []),
    ...(of('passedOver') > 0 ? ['another tool shares more words with the question'] : []),
  ]
  return against.length === 0 ? 'its calls fit the question' : against.join('; ')
}
