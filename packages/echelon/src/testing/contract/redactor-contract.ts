import assert from 'node:assert/strict'
import type { Json } from '../../core/value/json.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'
import { casesOf, type ContractCase, frozen, JSON_VALUES } from '../contract.ts'

/** Values that a redactor must hide, and values that it must keep. */
export interface RedactorTrial {
  /** Texts that it must hide. */
  readonly hides: readonly string[]
  /** Texts that it must keep. Default: a question and a sum. */
  readonly leaves?: readonly string[]
}

/**
 * The requirements of every `Redactor`: `for (const { name, holds } of redactorContract(open, {
 * hides: [key] })) test(name, holds)`.
 */
export function redactorContract(
  open: () => Redactor | Promise<Redactor>,
  { hides, leaves = ['What should I pack for Oslo?', '15 * 23 = 345'] }: RedactorTrial,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  const texts = hides.map((secret) => `before ${secret} after`)
  return [
    caseOf('secrets are hidden at any depth', (redact) => {
      for (const value of [texts, { a: { b: texts } }, [[{ text: texts.join('\n') }]]]) {
        const redacted = JSON.stringify(redact<Json>(value))
        for (const secret of hides) assert.ok(!redacted.includes(secret), 'a secret is not hidden')
      }
    }),
    caseOf('harmless text is unchanged', (redact) => {
      assert.deepEqual(redact<Json>(leaves), leaves)
      for (const value of JSON_VALUES) assert.deepEqual(redact(value), value)
    }),
    caseOf('the given value is not mutated', (redact) => {
      const value = { list: [...texts], name: 'x' }
      const before = structuredClone(value)
      redact(frozen(value))
      assert.deepEqual(value, before)
    }),
    caseOf('redacting twice changes nothing more', (redact) => {
      const once = redact<Json>({ texts })
      const hidden = 'a replacement text must not be redacted again'
      assert.deepEqual(redact(once), once, hidden)
    }),
  ]
}
