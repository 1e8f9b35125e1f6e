import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hazardIn } from './hazards.ts'
import { tokenise } from '../../english/token.ts'

/** The hazard in a story of one or more statements, each given as a string. */
const hazardOf = (...sentences: readonly string[]): string | undefined =>
  hazardIn(
    sentences.slice(0, -1).map((sentence) => tokenise(sentence)),
    tokenise(sentences.at(-1) ?? ''),
  )

const HAS = 'Tom has 12 apples'
const LEFT = 'How many apples does Tom have?'

/** Stories, and the word that each reason names. */
const NAMED: readonly (readonly [story: readonly string[], word: string])[] = [
  [[HAS, 'He will give 5 to Ann', LEFT], 'will'],
  [[HAS, 'He eats about 5', LEFT], 'about'],
  [['A room has 8 seats', 'How many seats are in the second room?'], 'second'],
  [['Tom read 20 pages yesterday', 'How many pages did he read today?'], 'yesterday'],
  [['Tom read 20 pages', 'How many pages did he read today?'], 'today'],
  [['There are 6 rows of 8 seats', 'How many seats are there in a row?'], 'row'],
  [['There are 12 eggs', 'How many boxes are needed?'], 'needed'],
  [['Tom earns $50 and saved $20', 'How much does he have?'], 'saved'],
  [['Tom has 12 apples', 'He eats 5 of her apples', LEFT], 'of her'],
  [['A discounted jacket costs $80', 'What is the price?'], 'discounted'],
  [['Tom read 20 pages last week', 'How many pages did he read?'], 'last week'],
  [['If Ann is a student, pens cost $2', 'She buys 3 pens', 'How much does she pay?'], 'if'],
  [['Pens cost $2 today', 'How much do 3 pens cost?'], 'today'],
  [['A pen costs $2 up there', 'How much do 3 pens cost?'], 'there'],
  [['A jacket on sale costs $80', 'How much do 3 jackets cost?'], 'on sale'],
]

suite('a hazard in a story', () => {
  for (const [story, word] of NAMED) {
    test(`names ${word} in: ${story.join('. ')}`, () => {
      assert.ok(hazardOf(...story)?.includes(`"${word}"`), hazardOf(...story) ?? 'nothing')
    })
  }

  test('finds nothing in a plain one', () => {
    assert.equal(hazardOf(HAS, 'He eats 5 of his apples', LEFT), undefined)
  })
})
