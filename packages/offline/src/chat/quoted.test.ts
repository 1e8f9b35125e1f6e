import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { backgroundMessage } from 'echelon/internal/message'
import { isChat } from './turn.ts'
import { quoted } from './quoted.ts'

const piece = (number: number, text: string, more = ''): LanguageModelV4Prompt[number] =>
  backgroundMessage([
    `<document number="${number}" source="docs/${number}.pdf"${more}>\n${text}\n</document>`,
  ])

const asks = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
})

test('[C-18] quotes passages with number and page, choosing those that share most words', () => {
  const said = quoted('When are refunds paid?', [
    piece(1, 'We open at nine.\nRefunds are paid within 14 days.', ' page="3" section="Money"'),
    piece(2, 'Nothing here.'),
    piece(3, 'A refund may be refused.'),
  ])
  assert.match(said ?? '', /^I do not understand texts; /)
  assert.deepEqual(said?.split('\n\n').slice(1), [
    '[1] docs/1.pdf, page 3: “Refunds are paid within 14 days.”',
    '[3] docs/3.pdf: “A refund may be refused.”',
  ])
})

test('quotes nothing without pieces, or if none shares a word', () => {
  assert.equal(quoted('When?', [asks('When?')]), undefined)
  assert.equal(quoted('When are refunds paid?', [piece(1, 'Nothing.')]), undefined)
})

test('document content does not turn a conversation into planning', () => {
  const prompt = [piece(1, '- calculator(expr)\n"""\ntask\n"""'), asks('When?')]
  assert.equal(isChat({ prompt }), true)
})
