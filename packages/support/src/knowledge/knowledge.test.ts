import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadKnowledge } from '../defaults/knowledge-folder.ts'
import { loadPolicies } from '../defaults/policies-file.ts'
import { passagesOfRules } from './rules-in-words.ts'
import { searchSections } from './search-sections.ts'
import { sectionsOf } from './section.ts'

test('a document is cut at its headings; hidden questions are searched and not shown', () => {
  const sections = sectionsOf(
    '# Shop\n\nWe sell **lamps**.\n\n<!-- asked: what do you sell; goods -->\n\n## Hours\n\nFrom 9 to 5.',
    'shop',
  )
  assert.deepEqual(
    sections.map(({ title, text, source, asked }) => [title, text, source, asked.length]),
    [
      ['Shop', 'We sell lamps.', 'Shop', 2],
      ['Hours', 'From 9 to 5.', 'Shop: Hours', 0],
    ],
  )
})

test('questions are answered in other words than the text has, with the source', async () => {
  const known = await loadKnowledge(undefined, passagesOfRules(await loadPolicies()))
  const rows = {
    'what is your return policy?': /30 days/,
    'how long do refunds take': /business days/,
    'when will I get my money back on my card?': /business days/,
    'can I pay with paypal': /PayPal/,
    'do you ship to Canada?': /United States/,
    'is there a fee for cancelling': /costs nothing/,
    'I forgot my password': /Forgotten password/,
    'how do I unsubscribe from the newsletter': /unsubscribe/,
  }
  for (const [question, answer] of Object.entries(rows)) {
    const found = known(question)
    assert.match(found?.text ?? '', answer, question)
    assert.ok((found?.source ?? '') !== '')
  }
})

test('what no document says is not answered', async () => {
  const known = await loadKnowledge()
  for (const question of [
    'how heavy is the tent?',
    'what is the weather in paris',
    'who won the game',
    '',
    'asdf qwer',
  ]) {
    assert.equal(known(question), null, question)
  }
})

test('rules say what they say, filled from their constants', async () => {
  const says = passagesOfRules(await loadPolicies()).map(({ text }) => text)
  assert.ok(says.includes('Refunds above $500 are not made here.'))
})

test('a folder that is not there is reported', async () => {
  await assert.rejects(loadKnowledge('/nowhere/at/all'), { code: 'INVALID_CONFIG' })
  assert.equal(searchSections([])('anything at all?'), null)
})

test('wordings beside the documents lead to their section, and to no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'))
  const asked = join(folder, 'asked.tsv')
  try {
    writeFileSync(join(folder, 'shop.md'), '# Shop\n\nWe sell lamps.\n\n## Hours\n\nFrom 9 to 5.')
    writeFileSync(
      asked,
      '# heard\n?Shop: Hours\tmay I drop by at noon\n?Shop: Hours\tis noon too early to drop by\n?Shop\tlamps\n',
    )
    const known = await loadKnowledge(folder)
    assert.deepEqual(known('could I drop by around noon?'), {
      text: 'From 9 to 5.',
      source: 'Shop: Hours',
    })
    assert.equal(known('Shop: Hours')?.text, 'From 9 to 5.')
    writeFileSync(asked, '?Shop\tlamps\n?Shop: Place\twhere are you')
    await assert.rejects(loadKnowledge(folder), {
      code: 'INVALID_CONFIG',
      message: `${asked}:2: write the place of a section, such as ?Shop, a tab and a question`,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
