import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_INTENT, type Intent } from '../intent/intent.ts'
import { readUser } from './read-user.ts'

const kinds = (text: string, intent: Intent = DEFAULT_INTENT): readonly string[] =>
  readUser(text, intent)
    .filter(({ confidence }) => confidence >= 0.5)
    .map(({ kind }) => kind)

describe('[L-14] findings of a user’s message', () => {
  test('a stop, in other words too, but not if denied or about something else', () => {
    assert.deepEqual(kinds('Stop.'), ['stop'])
    assert.deepEqual(kinds('Let’s call it a day'), ['stop'])
    assert.deepEqual(kinds("Don't stop, this is good."), [])
    assert.deepEqual(kinds('How do I stop working on weekends?'), [])
  })

  test('frustration, sarcasm too, but not if denied or another person’s', () => {
    assert.deepEqual(kinds('Oh great, another list'), ['frustration'])
    assert.deepEqual(kinds('I already told you twice that I have no budget for that.'), [
      'frustration',
    ])
    assert.deepEqual(kinds("I'm not frustrated, go on"), [])
    assert.deepEqual(kinds('My wife is frustrated that I come home late.'), [])
  })

  test('pain and questions about life are not frustration with the conversation', () => {
    for (const text of [
      'Why do I even want it?',
      'This is hard for me.',
      'I hate this job.',
      'It makes me angry that I work so much.',
      'I already told my boss that I want fewer hours.',
      'I keep going in circles with this decision.',
    ]) {
      assert.deepEqual(kinds(text), [], text)
    }
    for (const text of [
      'I hate these questions.',
      'I already told you that.',
      'We go in circles.',
    ]) {
      assert.deepEqual(kinds(text), ['frustration'], text)
    }
  })

  test('agreement, thanks and eagerness are not frustration, whatever the reason', () => {
    for (const text of [
      'Yes because my daughter starts school in May.',
      'Yes, because I promised her that we would move.',
      'Yeah, because the rent there is lower.',
      'Sure, because we both like the mountains.',
      'Right, because of my parents.',
      'Of course, because she earns more than I do.',
      'Yes, let us just begin.',
      'You are right.',
      'Right.',
      'Yeah, sure.',
      'No problem.',
      'No problem, ask me anything.',
      'Not at all.',
      'Not bad.',
      "That's not bad, go on.",
      "I can't wait to move there.",
      "I can't wait for the summer with the kids.",
      "I can't take this job without her.",
      'Thanks, I like these questions.',
      'Thank you for the list, what comes first?',
      'Great, another question please.',
      'What a surprise, I never would have guessed that. What else?',
      'You are a big help, go on.',
      'Wow.',
      'Oh, I see.',
      'The noise of the street drives me crazy.',
      "I'm tired of this flat.",
      'It is ridiculous how much we pay for it.',
      'How often do I have to fly there?',
      'None of this is easy for her.',
    ]) {
      assert.deepEqual(
        kinds(text).filter((kind) => kind === 'frustration'),
        [],
        text,
      )
    }
  })

  test('a reason not meant seriously is sarcasm', () => {
    for (const text of [
      'Yes, because that worked so well last time.',
      'Sure, because life is that easy.',
      'Right, because I have so much free time.',
      'Oh sure, because another list will help.',
      'Of course, because yoga solves everything.',
      'Yeah right.',
    ]) {
      assert.deepEqual(kinds(text), ['frustration'], text)
    }
  })

  test('a user who doubts or keeps asking has not achieved the goal', () => {
    assert.deepEqual(kinds('I think I know now'), [])
    assert.deepEqual(kinds('I know what to do now, but I am afraid'), [])
    assert.deepEqual(kinds('I know what to do now. Will it hold?'), [])
    assert.deepEqual(kinds('I know what to do now.'), ['achieved'])
  })

  test('an achieved goal, but not if something else is asked', () => {
    assert.deepEqual(kinds("That's it, thanks, I know what to do"), ['achieved'])
    assert.deepEqual(kinds('Thanks. And what about the mortgage?'), [])
  })

  test('a finding names the condition in the intent’s words, with its evidence', () => {
    const [found] = readUser('I was in a meeting. Stop it, please.', DEFAULT_INTENT)
    assert.equal(found?.what, 'user says stop')
    assert.match(found.evidence, /Stop it/)
    assert.ok(found.confidence > 0.5 && found.confidence <= 1)
  })

  test('[L-2] ignores a condition that is not in the intent', () => {
    const calm = { ...DEFAULT_INTENT, stop_conditions: ['user says stop'] }
    assert.deepEqual(kinds('This is so frustrating.', calm), [])
  })

  test('a custom condition works without code, by its patterns', () => {
    const own: Intent = {
      ...DEFAULT_INTENT,
      stop_conditions: ['bedtime'],
      patterns: { bedtime: ['\\b(?:bed ?time|kids? (?:are|is) asleep|falling asleep)\\b'] },
    }
    const [found] = readUser('Oh, the kids are asleep at last', own)
    assert.deepEqual(
      [found?.kind, found?.what, found?.evidence],
      ['stop', 'bedtime', 'kids are asleep'],
    )
    assert.deepEqual(readUser('What is a good school?', own), [])
  })

  test('without patterns a condition is found by its own words, unless denied', () => {
    const own = { ...DEFAULT_INTENT, stop_conditions: ['train arrives'] }
    assert.deepEqual(kinds('My train is arriving.', own), ['stop'])
    assert.deepEqual(kinds('The train has not arrived.', own), [])
  })

  test('patterns extend the shipped conditions', () => {
    const own = { ...DEFAULT_INTENT, patterns: { 'user says stop': ['^feierabend\\b'] } }
    assert.deepEqual(kinds('Feierabend!', own), ['stop'])
    assert.deepEqual(kinds('Stop.', own), ['stop'])
  })

  test('reads a text of any size and characters, and a broken pattern finds nothing', () => {
    assert.deepEqual(kinds(''), [])
    assert.ok(Array.isArray(kinds('\u0000\u202e'.repeat(50_000) + 'stop '.repeat(50_000))))
    const broken = { ...DEFAULT_INTENT, stop_conditions: ['x'], patterns: { x: ['(', '(a+)+$'] } }
    assert.deepEqual(kinds('a'.repeat(5_000) + '!', broken), [])
  })
})
