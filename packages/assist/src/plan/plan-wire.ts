import { MOST_FORM_CHARACTERS } from 'echelon/internal/model'
import { isRecord } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { isAltitude } from '../session/memories.ts'
import { ALTITUDES, type Plan } from './plan.ts'

/** A model's plan and its reason. */
export interface PlannedByModel {
  readonly plan: Plan
  readonly reason: string
}

const MOST_LINES = 8
const LONGEST_LINE = 200
const LONGEST_APPROACH = 60

const texts = { type: 'array', items: { type: 'string' } } as const

/** The schema for a planner model's answer; closed, as strict response formats require. */
export const PLAN_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    approach: { type: 'string' },
    altitude: { type: 'string', enum: [...ALTITUDES] },
    constraints: texts,
    focus: texts,
    reason: { type: 'string' },
  },
  required: ['approach', 'altitude', 'constraints', 'focus', 'reason'],
  additionalProperties: false,
}

const FIELDS = new Set(['approach', 'altitude', 'constraints', 'focus', 'reason'])

/** Reads a model's plan; null if it is not one. */
export function readPlan(text: string): PlannedByModel | null {
  const value = parsed(text)
  if (!isRecord(value) || Object.keys(value).some((name) => !FIELDS.has(name))) return null
  const { approach, altitude, reason } = value
  const constraints = linesIn(value['constraints'])
  const focus = linesIn(value['focus'])
  if (typeof approach !== 'string' || !isAltitude(altitude)) return null
  if (constraints === null || focus === null || typeof reason !== 'string') return null
  const name = nameOf(approach)
  if (name === '') return null
  return { plan: { approach: name, altitude, constraints, focus }, reason: short(reason) }
}

function linesIn(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return null
  return value
    .map(short)
    .filter((line) => line !== '')
    .slice(0, MOST_LINES)
}

/** Normalizes an approach to a name such as `strategic_exploration`. */
const nameOf = (approach: string): string =>
  (approach.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('_').slice(0, LONGEST_APPROACH)

const short = (text: string): string => text.trim().replaceAll(/\s+/gu, ' ').slice(0, LONGEST_LINE)

/** Parses a model's JSON; undefined if it is invalid or too long. */
export function parsed(text: string): unknown {
  if (text.length > MOST_FORM_CHARACTERS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
