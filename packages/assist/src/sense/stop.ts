import { type Cue, weigh, type Weighed } from './cue.ts'
import { clausesOf } from './readable.ts'

// A clause must begin with it, so that "don't stop", "how do I stop smoking" and "my boss said that's enough" do
// not match: the preceding words decide whose they are.
const LEAD =
  "^(?:(?:please|ok|okay|no|hey|well|so|alright|right|wait|look|and|now|just|you can|can you|could you|can we|could we|let's|let us|lets|we can|we should|i think we should|i think|i want to|i want you to|i need to|i'd like to|i would like to|i'd like you to|shall we|maybe we should|time to|it's time to)\\s+)*"

const TAIL =
  '(?:\\s+(?:it|this|that|now|here|there|please|thanks|right|away|already|immediately|today|tonight|soon|for (?:now|today|tonight|a while|the moment)|(?:the|this|our) (?:conversation|session|chat|discussion|talk|call)|(?:talking|asking|going on|writing)(?: (?:about|me|to|on)\\b.*)?|(?:and|because|since|as|until|till|before)\\b.*))*$'

const clause = (words: string, tail = TAIL): RegExp =>
  new RegExp(`${LEAD}(?:${words})${tail}`, 'iu')

const CUES: readonly Cue[] = [
  [clause('stop|quit|end|finish|halt|pause|conclude|close|cut'), 0.9],
  [clause('wrap(?: it| this)? up|shut up|be quiet|knock it off|cut it out|give it a rest'), 0.9],
  [clause("(?:(?:that's|that is|thats|this is|it's) )?enough(?: of (?:this|that|it))?"), 0.9],
  [
    clause("(?:i've|i have|ive) (?:had|heard|read) enough(?: of (?:this|that|it|you|these \\w+))?"),
    0.9,
  ],
  [clause('call it (?:a day|a night|quits)|leave (?:it|this) (?:there|here|at that)'), 0.9],
  [clause('drop it|forget (?:it|about it)|never ?mind|leave me (?:alone|be|in peace)'), 0.8],
  [clause('no more (?:questions|advice|lists|of this|talk|talking)', '(?: please| now)*$'), 0.8],
  [
    clause(
      "(?:i'm|i am|im|we're|we are) (?:done|finished|out|through)(?: (?:with (?:this|it|you)|here))?",
    ),
    0.8,
  ],
  [clause("(?:i|i've|i have) (?:have to|got to|gotta|need to|must) (?:go|run|leave|sleep)"), 0.7],
  [clause('(?:good)?bye|good ?night|see you|talk (?:to you )?(?:later|tomorrow|soon)'), 0.7],
  // Later, elsewhere, or not at all: about nothing else, in a message that says little more.
  [
    /^(?:please |no )*(?:not (?:now|today|tonight)|later|another (?:day|time)|some other (?:day|time)|tomorrow)$/iu,
    0.6,
  ],
  [
    /\b(?:leave|keep|save|postpone|put off|continue|resume|pick up) (?:it|this|that|the (?:topic|subject|rest)|all this)?\b.*\b(?:another (?:day|time)|tomorrow|later|next (?:week|time)|some other)/iu,
    0.6,
  ],
  [/^(?:can|could) (?:this|it|we do this) (?:wait|later)/iu, 0.7],
  [
    clause(
      "(?:not|don't) (?:do|have) this(?: (?:conversation|talk))?|exit|quit|abort|cancel|that'll do|that will do|basta|genug|stop right there|(?:be|stay|keep) (?:silent|quiet)",
    ),
    0.8,
  ],
  [
    clause(
      'give me (?:some |a (?:little |bit of )?)?(?:peace|rest|break|space|silence|quiet)(?: will you)?',
    ),
    0.8,
  ],
  [
    clause(
      "(?:i'm|i am|im) (?:leaving|going to bed|off|logging off|signing off|heading (?:out|off|home)|hanging up|closing (?:this|the \\w+))",
    ),
    0.8,
  ],
  [/\bi(?:'d| would) rather not\b.*\b(?:talk|discuss|continue|go on|say|answer|do this)/iu, 0.8],
  [
    /^(?:please |no |so |ok |okay )*(?:don't|do not|dont) (?:go on|continue|keep going|ask|write)\b(?! without)/iu,
    0.8,
  ],
  [
    /\bi (?:don't|do not|dont|no longer) (?:want|wish|feel like|care|need)(?: to)? (?:continue|continuing|go on|going on|talk|talking|hear|discuss)/iu,
    0.8,
  ],
]

/** Whether a message ends the conversation. */
export const weighStop = (text: string): Weighed => weigh(clausesOf(text), CUES)
