import type * as Yaml from 'yaml'
import { unlessTooDeep } from '../core/value/unless-too-deep.ts'

/** A YAML document with its errors in text order, and its line positions. */
export interface ParsedYaml {
  readonly document: Yaml.Document.Parsed
  readonly lines: Yaml.LineCounter
}

/**
 * Parses YAML, which includes JSON.
 * @param keys `string` reports a key that is not a string as an error
 * @returns undefined if the text is nested too deeply to parse
 */
export function parseYaml(
  yaml: typeof Yaml,
  text: string,
  { keys }: { readonly keys: 'string' | 'any' },
): ParsedYaml | undefined {
  const lines = new yaml.LineCounter()
  return unlessTooDeep(() => {
    const document = yaml.parseDocument(text, {
      lineCounter: lines,
      logLevel: 'error',
      // Pretty errors copy the rest of the text, and each character can have one.
      prettyErrors: false,
      stringKeys: keys === 'string',
      // The package compares each key with all earlier ones, which takes quadratic time.
      uniqueKeys: false,
    })
    document.errors.push(...duplicateKeys(yaml, document))
    document.errors.sort((one, other) => one.pos[0] - other.pos[0])
    return { document, lines }
  })
}

function duplicateKeys(
  yaml: typeof Yaml,
  document: Yaml.Document.Parsed,
): readonly Yaml.YAMLParseError[] {
  const errors: Yaml.YAMLParseError[] = []
  yaml.visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!yaml.isScalar(key)) continue
        if (seen.has(key.value)) errors.push(duplicate(yaml, key))
        seen.add(key.value)
      }
    },
  })
  return errors
}

function duplicate(yaml: typeof Yaml, { range }: Yaml.Scalar): Yaml.YAMLParseError {
  const [start, end] = range ?? [0, 0]
  return new yaml.YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique')
}
