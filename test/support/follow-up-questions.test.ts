import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writes } from './writes.ts'

/** The answer to each sentence, said after the same messages. */
async function each(customerId: string, before: readonly string[], said: readonly string[]) {
  const answers: string[] = []
  for (const one of said) {
    const conversation = await writes(customerId, ...before, one)
    answers.push(conversation.answers.at(-1) ?? '')
  }
  return answers
}

const all = (answers: readonly string[], pattern: RegExp): void => {
  for (const answer of answers) assert.match(answer, pattern)
}

describe('a wish for a person', () => {
  const LATE = ["I cancelled the charger weeks ago and I don't see the money"]

  test('[S-13] who looks at something is a request for one', async () => {
    const answers = await each('C-003', LATE, [
      'have somebody look into it please',
      "I'd like a colleague to check this",
      'ok, let a person handle that',
      'Can someone take a look at it?',
      'please ask your manager to review it',
    ])
    all(answers, /H-0001/)
  })

  test('[S-13] is neither a no to one nor a question about one', async () => {
    const answers = await each('C-003', LATE, [
      'no need to have a colleague check',
      "please don't let anybody look at it, I'll wait",
      'did a colleague look at it already?',
    ])
    for (const answer of answers) assert.doesNotMatch(answer, /H-0001/)
  })
})

describe('while something is open, or was done last', () => {
  test('[S-13] a question of costs is about the return', async () => {
    const answers = await each(
      'C-004',
      ['I want to return my earbuds'],
      ['is shipping free?', 'who pays the postage', 'what does it cost', 'do I pay for shipping?'],
    )
    all(answers, /^Returns are free[^]*Shall I start the return/)
    const others = await each(
      'C-004',
      ['I want to return my earbuds'],
      ['how long does shipping take?', 'how soon do you pay me?'],
    )
    for (const answer of others) assert.doesNotMatch(answer, /Returns are free/)
  })

  test('[S-13] a question of deliveries stays one', async () => {
    const answers = await each(
      'C-004',
      ['I want to return my earbuds', 'no'],
      ['what does delivery cost?'],
    )
    all(answers, /^Delivery is free from/)
    const other = await each('C-004', ['where are my jeans'], ['do I have to pay for shipping?'])
    all(other, /^Delivery is free from/)
  })

  test('[S-13] when the money comes is a question of the rules', async () => {
    const answers = await each(
      'C-016',
      ['cancel the hoodie order'],
      [
        'and when do I get paid back',
        'how soon will I get the money?',
        'when will it be refunded',
        'how many days until I have my money',
      ],
    )
    all(answers, /5 to 7 business days[^]*Shall I cancel order O-12394/)
  })

  test('[S-13] whether the money is on its way is a question of the order', async () => {
    const answers = await each(
      'C-016',
      ['cancel the hoodie order'],
      ['is my money on its way already?'],
    )
    all(answers, /^No refund has been made[^]*Shall I cancel order O-12394/)
  })
})

describe('a check', () => {
  test('[S-13] of where the money goes is answered from the rules', async () => {
    const answers = await each(
      'C-010',
      ['did you refund my fitness watch?'],
      [
        "that's going back on my visa, correct?",
        "so the money lands on the card I used, doesn't it?",
        'it comes to my bank account, right?',
        'will it be put back on my paypal?',
        'and where will the money go?',
      ],
    )
    all(answers, /the means of payment you used/)
  })

  test('[S-13] of where an order goes is answered with its address', async () => {
    const answers = await each(
      'C-019',
      ['any news on O-12403?'],
      [
        "I hope you're not sending it to the PO box?",
        "it isn't going to my old office, is it?",
        'hopefully not going to my old flat?',
        'to the house on Northgate Circle?',
      ],
    )
    all(answers, /^Your order O-12403 goes to 55 Northgate Circle/)
  })

  test('[S-13] of both is about the two orders spoken of last', async () => {
    const answers = await each(
      'C-012',
      ['when does my backpack come?', 'and the scarf?'],
      ['do both go to Chestnut Hill Road?', 'both to my home?'],
    )
    all(answers, /^Your order O-12381 .*goes to [^]*Your order O-12383 .*goes to /)
  })
})

test('[S-13] "both" after a list of more orders is about those that are expected', async () => {
  const [answer = ''] = await each('C-012', ['which orders do I have?'], ['are both going home?'])
  assert.match(answer, /^Your order O-12383 [^\n]*\n\nYour order O-12381 [^\n]*$/)
})

describe('whether it is too late', () => {
  test('[S-13] is answered by the rules for that order, with the way out', async () => {
    const answers = await each(
      'C-015',
      ['how long do I have to return something?'],
      [
        "so I'm too late with the yoga mat?",
        'is it too late to return the yoga mat?',
        'can I still send the yoga mat back?',
        'then the mat is too late?',
      ],
    )
    all(answers, /more than 30 days ago\. (?:Shall I get a colleague|The last day .* was Oct 16)/)
  })

  test('[S-19] does nothing, and says that it is still possible', async () => {
    const { answers, data } = await writes('C-007', 'is it too late to return the scarf?')
    assert.match(
      answers[0] ?? '',
      /^Order O-12364 .* The last day to send it back .* is Nov 15, until 12:32 UTC/,
    )
    assert.equal((await data.getOrder('O-12364'))?.['status'], 'delivered')
  })
})

describe('a question', () => {
  test('[S-13] about the agent itself gets a true answer', async () => {
    const answers = await each(
      'C-017',
      [],
      [
        'hello, how are you? are you a robot?',
        'am I talking to a human or a bot?',
        'Is this an automated system?',
        'who am I talking to?',
        "what's your name?",
      ],
    )
    all(answers, /support program, not a person\.[^]*get a colleague/)
  })

  test('[S-13] with a word of its own is not the last one once more', async () => {
    const answers = await each(
      'C-018',
      ['where are my running shoes'],
      ['and what did I pay for O-12401', 'and how much was O-12401?'],
    )
    all(answers, /^You paid \$87\.24 for order O-12401/)
    all(
      await each('C-018', ['where are my running shoes'], ['and O-12401?', 'what about O-12401']),
      /^Your order O-12401 was delivered/,
    )
  })

  test('[S-13] for the price of one item of several names its price', async () => {
    const { answers } = await writes(
      'C-002',
      'when will my running shoes arrive?',
      'how much did I pay for them?',
      'and the socks?',
      'what did I pay for the whole order?',
      'when will the shoes arrive?',
      'how much was it in total?',
    )
    assert.match(answers[1] ?? '', /\$146\.95 .*, \$119\.95 of it for Trail Running Shoes/)
    assert.match(answers[2] ?? '', /\$27\.00 of it for Merino Socks/)
    assert.doesNotMatch(answers[3] ?? '', /of it for/)
    assert.match(answers[5] ?? '', /^You paid \$146\.95 /)
    assert.doesNotMatch(answers[5] ?? '', /of it for/)
  })
})

describe('taking back', () => {
  test('[S-13] what was refunded says that it stays, and offers a colleague', async () => {
    const answers = await each(
      'C-019',
      ['The kettle is broken. Refund please.', 'yes'],
      [
        'Oh no, it works after all. Can you undo that?',
        'ah, my mistake. please reverse the refund',
        'It was only the lid. Take it back please.',
        'undo that',
      ],
    )
    all(answers, /^A refund for order O-12404 can't be taken back here.* Shall I get a colleague/)
    const { answers: more } = await writes('C-019', 'refund the kettle', 'yes', 'undo that', 'yes')
    assert.match(more.at(-1) ?? '', /H-0001/)
  })

  test('[S-14] "ok, never mind" takes back nothing that waits for a person', async () => {
    const { answers } = await writes('C-010', 'refund the running shoes', 'yes', 'ok nevermind')
    assert.match(answers[1] ?? '', /A colleague has to approve that/)
    assert.match(answers[2] ?? '', /^All right\. I'm here/)
  })

  test('[S-14] "ok, never mind" leaves it, and agrees to nothing', async () => {
    const said = ['ok nevermind', 'ok, forget it', 'alright never mind then', 'fine, leave it']
    all(await each('C-009', ['has my mug shipped yet'], said), /^All right\. I'm here/)
    all(await each('C-016', ['cancel the hoodie order'], said), /^All right, I'll leave it\.$/)
  })
})
