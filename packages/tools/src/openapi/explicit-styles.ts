import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'

/**
 * Adds the default `style` and `explode` to query and cookie parameters. Without them the library
 * serializes objects differently than OpenAPI.
 */
export function withExplicitStyles(document: JsonObject): JsonObject {
  const { components = null, paths = null } = document
  return {
    ...document,
    paths: mapped(paths, (item) =>
      withParameters(mapped(item, (operation) => withParameters(operation))),
    ),
    ...(isJsonObject(components) && {
      components: { ...components, parameters: mapped(components['parameters'] ?? {}, explicit) },
    }),
  }
}

const mapped = (value: Json, change: (part: Json) => Json): Json =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]))
    : value

function withParameters(value: Json): Json {
  if (!isJsonObject(value)) return value
  const { parameters } = value
  return Array.isArray(parameters) ? { ...value, parameters: parameters.map(explicit) } : value
}

function explicit(parameter: Json): Json {
  if (!isJsonObject(parameter) || 'content' in parameter) return parameter
  if (parameter['in'] !== 'query' && parameter['in'] !== 'cookie') return parameter
  const { style = 'form', explode = style === 'form' } = parameter
  // A deep object has no other form.
  return { ...parameter, style, explode: explode === true || style === 'deepObject' }
}
