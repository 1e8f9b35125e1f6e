import assert from 'node:assert/strict'
import type { Json } from '../../core/value/json.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'
import { casesOf, type ContractCase, frozen, JSON_VALUES } from '../contract.ts'

/** What a redactor must hide, and what it must leave. */
export interface RedactorTrial {
  /** What it must hide, as it stands in a text. */
  readonly hides: readonly string[]
  /** Texts that it must leave as they are; default a question and a sum. */
  readonly leaves?: readonly string[]
}

/**
 * What every `Redactor` must do:
 * `for (const { name, holds } of redactorContract(open, { hides: [key] })) test(name, holds)`.
 */
export function redactorContract(
  open: () => Redactor | Promise<Redactor>,
  { hides, leaves = ['What should I pack for Oslo?', '15 * 23 = 345'] }: RedactorTrial,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  const texts = hides.map((secret) => `before ${secret} after`)
  return [
    caseOf('what it must hide is hidden, however deep it stands', (redact) => {
      for (const value of [texts, { a: { b: texts } }, [[{ text: texts.join('\n') }]]]) {
        const told = JSON.stringify(redact<Json>(value))
        for (const secret of hides) assert.ok(!told.includes(secret), 'a secret is told')
      }
    }),
    caseOf('what is harmless stays as it is', (redact) => {
      assert.deepEqual(redact<Json>(leaves), leaves)
      for (const value of JSON_VALUES) assert.deepEqual(redact(value), value)
    }),
    caseOf('the value itself is not changed', (redact) => {
      const value = { list: [...texts], name: 'x' }
      const before = structuredClone(value)
      redact(frozen(value))
      assert.deepEqual(value, before)
    }),
    caseOf('what was hidden once is not changed again', (redact) => {
      const once = redact<Json>({ texts })
      const hidden = 'what stands in the place of a secret must not be taken for one'
      assert.deepEqual(redact(once), once, hidden)
    }),
  ]
}
