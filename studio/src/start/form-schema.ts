import type { AgentView, Json, JsonObject } from 'echelon/client'
import { isObject, objectOf } from '../run/story/fields.ts'

/** Whether an agent has options besides its task. */
export const hasOptions = ({ input_schema: schema }: AgentView): boolean => {
  const options = objectOf(objectOf(schema, 'properties'), 'options')
  return Object.keys(objectOf(options, 'properties')).length > 0
}

/**
 * The schema of what a person fills in. Files and a schema of the answer are for programs; the options are shown
 * on demand.
 */
export function shownSchema({ input_schema: schema }: AgentView, isDetailed: boolean): JsonObject {
  const { output: _, files: __, options, ...shown } = objectOf(schema, 'properties')
  const isShown = isDetailed && isObject(options)
  return { ...schema, properties: { ...shown, ...(isShown && { options: titled(options) }) } }
}

/** Fields get their names as titles in words. */
function titled(schema: JsonObject): JsonObject {
  const fields = Object.entries(objectOf(schema, 'properties')).map(
    ([name, field]): readonly [string, Json] => [
      name,
      isObject(field) ? { title: words(name), ...field } : field,
    ],
  )
  return { ...schema, properties: Object.fromEntries(fields) }
}

function words(name: string): string {
  const spaced = name.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
