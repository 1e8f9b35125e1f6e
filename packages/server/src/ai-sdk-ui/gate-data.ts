import { isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import type { TurnEnd } from '../agents/served-agent.ts'

/** A decision of a gate for a UI, as `data-gate`; `undefined` for any other note. */
export function gateOf(stage: string, data: Json): JsonObject | undefined {
  if (!isJsonObject(data)) return undefined
  const { status = null, confidence = null, evidence = null, model = null, cost = null } = data
  if (stage === 'promoted') {
    const { from = null, to = null } = data
    return { decision: 'promote', status, confidence, evidence, model: from, to, cost }
  }
  if (stage === 'answered') {
    return { decision: 'accept', status, confidence, evidence, model, cost }
  }
  if (stage !== 'act') return undefined
  const { decision = null, output_summary: summary = null, metadata } = data
  const rung = isJsonObject(metadata) ? (metadata['rung_model'] ?? null) : null
  return { decision, status: summary, confidence: null, evidence: null, model: rung, cost: null }
}

/** The final verdict of the gates on the answer; `undefined` if nothing judged it. */
export function gateOfEnd(end: TurnEnd): JsonObject | undefined {
  const { checked, confidence, escalated, cost, rungs } = end
  if (checked === 'unchecked' && !escalated) return undefined
  const model = rungs.at(-1)?.model ?? null
  return { decision: 'end', status: checked, confidence, model, cost, escalated }
}
