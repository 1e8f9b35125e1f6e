import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent, type ModelSource } from 'echelon/chat'
import { MemoryJournal } from 'echelon/runtime'
import { apiError, type ScriptedAnswer, scriptedModel } from 'echelon/testing'

const KEY = 'sk-wrong'

/** Resolves a model whose key only the configuration knows. */
const configured = (answers: readonly ScriptedAnswer[]): ModelSource => ({
  resolve: (id) =>
    Promise.resolve({ id, model: scriptedModel(answers), price: () => 0, secrets: () => [KEY] }),
})

test('[DD-11] events hide the key of a model that the configuration gave to an agent', async () => {
  const seen: { readonly type: string }[] = []
  const agent = createAgent({
    model: 'some/model',
    registry: configured([`the key is ${KEY}`]),
    telemetry: (event) => seen.push(event),
  })
  const { text } = await agent.run('hi').result
  assert.equal(text, `the key is ${KEY}`)
  const spoken = new Set(['text-delta', 'said'])
  const observed = JSON.stringify(seen.filter(({ type }) => !spoken.has(type)))
  assert.match(observed, /the key is \[redacted:secret\]/)
  assert.ok(!observed.includes(KEY))
})

test('[DD-11] a key in the error of a model is hidden before the journal stores it', async () => {
  const journal = new MemoryJournal()
  const error = apiError(401, { message: `Incorrect API key provided: ${KEY}` })
  const agent = createAgent({
    model: 'some/model',
    registry: configured([{ error }]),
    journal,
    // The agent's own redactor does not know the key.
    redact: (value) => value,
  })
  const run = agent.run('hi')
  await assert.rejects(run.result, { code: 'MODEL_FAILED' })
  const stored = JSON.stringify(journal.read(run.id))
  assert.match(stored, /Incorrect API key provided: \[redacted:secret\]/)
  assert.ok(!stored.includes(KEY))
})
