import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { BoundModel } from '../../../packages/echelon/src/core/model/model.ts'
import { loadPrices } from '../../../packages/echelon/src/providers/prices.ts'
import type { ScriptedReply } from '../../../packages/echelon/src/testing/scripted-model.ts'
import {
  agree,
  cascadeModel,
  cascadeReport,
  inWords,
} from '../../../packages/echelon/src/verify.ts'
import { CALLERS, type CallRow, type RecordedCalls } from './call-rows.ts'
import { recordedAnswers } from './recorded-answers.ts'
import { type Line, printPercent, printShare } from './table.ts'

type Caller = keyof typeof CALLERS

/** The recorded models of tool calls as models of a ladder, with their recorded tokens at list prices. */
export async function callLadder(
  rows: readonly CallRow[],
): Promise<Readonly<Record<Caller, BoundModel>>> {
  const prices = await loadPrices()
  const model = (who: Caller): BoundModel =>
    recordedAnswers(
      `openai/${CALLERS[who]}`,
      Map.groupBy(rows, questionOf)
        .entries()
        .reduce(
          (all, [question, same]) =>
            all.set(
              question,
              same.map((row) => replyOf(row[who])),
            ),
          new Map<string, readonly ScriptedReply[]>(),
        ),
      prices.priceOf('openai', CALLERS[who]),
    )
  return { small: model('small'), opinion: model('opinion'), big: model('big') }
}

const questionOf = ({ attempt }: CallRow): string => attempt.task.question

/** A model that calls nothing answers in words, which the record does not keep. */
const replyOf = ({ calls, tokens }: RecordedCalls): ScriptedReply => ({
  ...(calls.length === 0
    ? { text: 'No tool fits.' }
    : { toolCalls: calls.map(({ tool, input }) => ({ tool, input })) }),
  usage: tokens,
})

/**
 * Runs the record through `cascadeModel`: GPT-3.5 first, GPT-4o mini as second opinion, and GPT-4o if they
 * disagree. Everything is metered by the cascade itself.
 */
export async function throughCascade(rows: readonly CallRow[]): Promise<Line> {
  const { small, opinion, big } = await callLadder(rows)
  const model = cascadeModel([small, big], {
    verify: agree({ ways: [inWords('opinion')], atMost: 1, need: 2 }),
    accept: 0.6,
    ask: { opinion },
    // The record holds what each model called when it was asked the question alone.
    passEvidence: false,
  })
  let [right, promoted, alone] = [0, 0, 0]
  for (const row of rows) {
    const { providerMetadata } = await model.doGenerate(callOf(row))
    const isPromoted = (cascadeReport(providerMetadata)?.promotions ?? 0) > 0
    promoted += Number(isPromoted)
    right += Number((isPromoted ? row.big : row.small).right)
    alone += big.price(row.big.tokens) ?? Number.NaN
  }
  return {
    name: 'agree, run through cascadeModel',
    cells: {
      accuracy: printShare(right / rows.length),
      escalated: printPercent(promoted / rows.length),
      cost: printShare(model.spent.money / alone),
    },
    note: `${model.spent.calls} calls`,
  }
}

function callOf({ attempt: { task } }: CallRow): LanguageModelV4CallOptions {
  return {
    prompt: [{ role: 'user', content: [{ type: 'text', text: task.question }] }],
    tools: (task.tools ?? []).map(({ name, description, jsonSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: schemaOf(jsonSchema),
    })),
  }
}

// A schema of the record is any JSON object; models of the record do not read it.
function schemaOf(schema: object): JSONSchema7
function schemaOf(schema: object): object {
  return schema
}
