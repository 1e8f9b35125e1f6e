import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'

/**
 * The document with the defaults of OpenAPI written out for parameters of the query and of cookies:
 * the library writes objects otherwise where `style` and `explode` are left out.
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
  // There is no other way to write a deep object.
  return { ...parameter, style, explode: explode === true || style === 'deepObject' }
}
