import type { ContentRule, RuleGroup } from './rule.ts'

/** Distinguishes a token from the next word of a sentence: "basic arithmetic" stays. */
const looksRandom = (text: string): boolean =>
  text.length >= 24 || /\d[^\d]*[a-z]|[a-z][^\d]*\d|=$|[a-z][A-Z][^]*[a-z][A-Z]/.test(text)

const ifRandom = (found: string): string => (looksRandom(found) ? found : '')

/** Letters and digits, as in "the password hunter2 was refused". */
const ifMixed = (found: string): string =>
  /\d/.test(found) && /\p{L}/u.test(found) && !found.startsWith('[redacted') ? found : ''

/** Never a word of a sentence: `API_KEY environment` names a variable, `API_KEY abc123def` contains the key. */
const ifLikeKey = (found: string): string =>
  /\d[^\d]*\p{L}|\p{L}[^\d]*\d|[+/=]/u.test(found) && !found.startsWith('[redacted') ? found : ''

/** Words that describe a secret: "the token is invalid". */
const SAID =
  '(?:a|an|the|not|no|now|none|null|nil|true|false|undefined|unset|empty|missing|required|needed|' +
  'optional|invalid|incorrect|wrong|expired|revoked|unknown|too|set|weak|hidden|yours?|only|given|' +
  'read|rejected|refused|accepted|valid|correct|string|number)'

/** Words that describe it in a sentence, "the password is stored …"; after a label they would be its value. */
const STATED =
  '(?:about|active|allowed|already|also|always|an?|at|available|bad|being|blank|blocked|both|by|case|' +
  'changed|checked|configured|correct|created|defined|deleted|denied|different|disabled|due|enabled|' +
  'encrypted|exposed|fine|for|forbidden|from|generated|good|hashed|held|her|here|his|identical|in|' +
  'inactive|its|just|kept|known|leaked|limited|locked|longer|lost|malformed|my|never|of|ok|on|one|our|' +
  'out|part|present|probably|protected|provided|public|ready|really|removed|reset|revoked|rotated|safe|' +
  'same|sent|shorter|similar|still|stored|subject|supplied|supposed|that|their|there|this|to|' +
  'unchanged|unauthorized|used|verified|very|wanted|what|with)'

const SAID_ALONE = new RegExp(`^(?:${SAID}[.!?)\\]}]{0,3}|[*x.\u2022-]{3,}|<[a-z -]+>)$`, 'i')

/** Whether the bare value after a secret's name describes the secret instead. */
export const isSaid = (value: string): boolean => SAID_ALONE.test(value)

/** Keys with a format that the issuer made recognizable. */
const KEYS: readonly string[] = [
  // OpenAI, Anthropic, OpenRouter and others with the same prefix; Stripe
  'sk-(?:proj|svcacct|admin|ant|or|lf)-[\\w-]{8,}',
  'sk-[\\w-]{20,}',
  '[rsp]k_(?:live|test)_\\w{8,}|whsec_\\w{8,}',
  '(?:sk|pk|rk|hf)[-_](?=[\\w-]{0,64}\\d)[\\w-]{16,}',
  // Slack; GitHub, GitLab
  'xox[abeoprs]-[\\w-]{8,}|xapp-\\d-[\\w-]{8,}',
  'gh[opsur]_\\w{16,}|github_pat_\\w{16,}|gl[a-z]{2,5}-(?=[\\w-]{0,64}\\d)[\\w-]{16,}',
  // Amazon; Google
  '(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ABIA|ACCA)[A-Z0-9]{12,}',
  'AIza[\\w-]{20,}|ya29\\.(?:[\\w-]|\\.(?=\\w)){10,}|GOCSPX-[\\w-]{16,}|1//0[\\w-]{20,}',
  // Hugging Face, npm, PyPI
  'hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[\\w-]{20,}',
  // SendGrid, Shopify, DigitalOcean, Vault, Linear, Notion, Databricks, Mailgun, Twilio
  'SG\\.[\\w-]{10,}\\.[\\w-]{10,}|shp(?:at|ca|pa|ss)_\\w{16,}|do[opr]_v1_\\w{16,}|hv[bs]\\.[\\w-]{16,}',
  'lin_api_\\w{16,}|ntn_\\w{16,}|dapi[0-9a-f]{32}|key-[0-9a-f]{32}|(?:SK|AC)[0-9a-f]{32}',
  // Groq, xAI, Perplexity, Replicate, NVIDIA; age
  'gsk_\\w{16,}|xai-\\w{16,}|pplx-\\w{16,}|r8_\\w{16,}|nvapi-[\\w-]{16,}',
  'AGE-SECRET-KEY-1[0-9A-Z]{20,}',
  // Telegram
  '\\d{8,10}:AA[\\w-]{30,}',
]

const PASSWORD = '(?:pass ?(?:word|wort|phrase|code|wd)|pwd|kennwort)'
/** Secrets that are often a single word of letters, named by two words. */
const NAMED_SECRET =
  '(?:(?:api|access|secret|private|client|auth|bearer|refresh|session|signing|service|account|shared|master)[ _-]?(?:key|secret|token))'
const OF_WHAT = '(?:\\s(?:for|of|to|f\u00fcr|von)(?:\\s\\S{1,40}){1,3}?)?'
const IS =
  '\\s{1,3}(?:(?:is|was)(?:\\s(?:now|still|set to|changed to|reset to))?|ist|war|lautet)\\s{0,2}[:=]?\\s{0,3}'
/** A prefix may come before the name: `DB_PASSWORD`. */
const START = '(?<![\\p{L}\\d])'

/** Run before other rules: matches that span lines, or that end where another match begins. */
const WHOLE: readonly ContentRule[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  {
    // A token's header begins like every JSON object; the rest may have been cut off.
    kind: 'jwt',
    pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*(?:\.[\w-]+){0,2}|\beyJ[\w-]{16,}(?:\.[\w-]+)?/g,
  },
  // A password can be guessed from its hash.
  { kind: 'secret', pattern: /\$(?:2[abxy]|argon2(?:id|[id])|[156]|y)\$[\w./$=,+-]{20,}/g },
]

const IN_URLS: readonly ContentRule[] = [
  {
    kind: 'credentials',
    pattern: /(?<=\b[a-z][a-z0-9+.-]{0,20}:(?:\\?\/){2})(?!git@)[^\s/?#"'<>\\]{1,512}(?=@)/gi,
  },
  {
    // A password that should have been encoded; `host:8080/` is not a user.
    kind: 'credentials',
    pattern:
      /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:"'<>]{0,128}:(?!\d{1,5}[/?#])[^\s"'<>]{1,256}?(?=@[\w.-])/gi,
  },
  {
    kind: 'secret',
    pattern:
      /(?<=\b(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/)[\w/-]{8,}/g,
  },
  {
    kind: 'secret',
    pattern:
      /(?<=[?&;](?:key|sig|signature|auth|code|x-(?:amz|goog)-(?:signature|credential|security-token))=)[^\s&#"'<>]{6,}/gi,
  },
]

const KEY_RULES: readonly ContentRule[] = [
  {
    // Both halves of a pair, when a file or a person puts them next to each other.
    kind: 'secret',
    pattern: /(?<=\b(?:AKIA|ASIA)[A-Z0-9]{16}[\s:,;|/"']{1,8})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/g,
  },
  { kind: 'secret', pattern: new RegExp(`\\b(?:${KEYS.join('|')})`, 'g') },
]

/** A program's option, with any prefix: `--db-password`, `-token`. */
const OPTION =
  '(?:^|[\\s"\'`,(\\[])--?(?:[a-z\\d]{1,20}[-_]){0,3}(?:pass(?:word|wd|phrase|code)?|pwd|token|secret|(?:api|access|secret|private|auth|signing|encryption)[-_]?key|credentials?|cookie)'

/** After words that name a secret but that `named-values.ts` does not treat as a label. */
const SPOKEN_OF: readonly ContentRule[] = [
  {
    kind: 'authorization',
    pattern: /(?<=\b(?:bearer|basic)\s{1,3})[\w.~+/-]{8,}=*/gi,
    part: ifRandom,
  },
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?<=${START}${PASSWORD}${OF_WHAT}${IS}["'\u201c])(?!\\[redacted)[^"'\u201d\\n]{1,200}`,
      'giu',
    ),
  },
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?<=\\bpass ?phrase${OF_WHAT}${IS})(?!(?:not|too|wrong|invalid)\\b|\\[redacted|\\s)[^\\n.,;"']{3,120}`,
      'gi',
    ),
  },
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?<=${START}${PASSWORD}${OF_WHAT}${IS})(?!(?:${SAID}|${STATED})(?![\\p{L}\\d])|\\[redacted)[^\\s"'\u201c,;]{3,}`,
      'giu',
    ),
  },
  {
    // The last word of a description: "the access token is rate limited" is not a value.
    kind: 'secret',
    pattern: new RegExp(
      `(?<=${START}${NAMED_SECRET}${OF_WHAT}${IS})(?!(?:${SAID}|${STATED})(?![\\p{L}\\d])|\\[redacted)[^\\s"'\u201c,;]{3,}?(?=[.!?)]{0,2}(?:$|[\\n,;"']))`,
      'giu',
    ),
  },
  {
    kind: 'secret',
    pattern: new RegExp(`(?<=${START}${PASSWORD}\\s{1,3})[^\\s"'\u201c,;:=]{4,}`, 'giu'),
    part: ifMixed,
  },
  {
    // In database connection strings and .netrc.
    kind: 'secret',
    pattern:
      /(?<=\blogin\s{1,3}\S{1,64}\s{1,3}password\s{1,3}|\bpassword\s{1,3}["'])[^\s"']{1,200}/gi,
  },
  {
    kind: 'secret',
    pattern:
      /(?<=\b(?:token|secret|(?:api|access|secret|private)[ _-]?key)(?:\s{1,3}(?:is|was|ist|war|lautet|provided|given|used|sent|supplied))?\s{0,2}[:=]?\s{1,3}["'\u201c]?)[\w.~+/-]{6,}=*/gi,
    part: ifRandom,
  },
  {
    kind: 'secret',
    pattern:
      /(?<=\b(?:PIN|pin code|TAN|OTP|CVV2?|CVC2?|one-time (?:code|password))(?:\s(?:is|was|ist))?\s{0,2}[:=]?\s{0,2})\d{3,8}(?!\w|[.,]\d)/g,
  },
  {
    // A quoted argument, blanks included.
    kind: 'secret',
    pattern: new RegExp(`(?<=${OPTION}\\s{1,3}(["']))[^\\s"'][^"'\\n]{2,200}(?=\\1)`, 'gi'),
  },
  { kind: 'secret', pattern: new RegExp(`(?<=${OPTION}\\s{1,3})[^\\s"'-][^\\s"']{2,}`, 'gi') },
  {
    // On the next line of a shell.
    kind: 'secret',
    pattern: new RegExp(`(?<=${OPTION}\\s{1,3}\\\\\\s{1,8}["']?)[^\\s"'\\\\-][^\\s"']{2,}`, 'gi'),
  },
  {
    // Environment variables in the notation of `setx`, `fly secrets set` and notes; the next word of a sentence does not match.
    kind: 'secret',
    pattern:
      /(?<=\b(?:[A-Z\d]{1,24}_){1,5}(?:PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|TOKEN|KEY)[ \t]{1,3}["']?)[^\s"'=:,;()-][^\s"',;()]{7,}/g,
    part: ifLikeKey,
  },
  {
    // In an argument list.
    kind: 'secret',
    pattern: new RegExp(`(?<=${OPTION}\\\\?["'],\\s{0,3}\\\\?["'])[^"'\\\\\\n]{3,200}`, 'gi'),
  },
  {
    // Programs that take a password this way, often without a blank before it.
    kind: 'secret',
    pattern:
      /(?<=\b(?:mysql\w{0,8}|mariadb\w{0,8}|mongo\w{0,8}|sshpass|(?:docker|podman|helm registry|az acr|oc|nerdctl) login|htpasswd|cqlsh|sqlcmd)\b[^\n|;&]{0,48}\s-p\s{0,3}["']?)[^\s"'-][^\s"']{2,}/gi,
  },
  {
    kind: 'secret',
    pattern: /(?<=\bredis-cli\b[^\n|;&]{0,48}\s-a\s{1,3}["']?)[^\s"'-][^\s"']{2,}/gi,
  },
  {
    // In other programs it is a port, a path or a project, unless it looks like a password.
    kind: 'secret',
    pattern:
      /(?<=(?<!\b(?:mkdir|cp|install|ssh|scp|git|npx|npm|tar|rsync)\b[^\n|;&]{0,48})\s-p\s{1,3}["']?)[^\s"'/.:,=-][^\s"'/.:,=]{5,}(?=["']?(?:\s|$))/gi,
    part: ifMixed,
  },
  {
    kind: 'credentials',
    pattern: /(?<=\s(?:-u|--(?:proxy-)?user)[\s=]["']?)[^\s:"']{1,64}:[^\s"']{1,256}/g,
  },
]

/** Rules for secrets, by their format and by the text before them. */
export const SECRET_RULES: readonly RuleGroup[] = [
  { sign: /-----BEGIN|eyJ|\$[\da-z]{1,8}\$/, rules: WHOLE },
  { sign: /\/|[?&;]/, rules: IN_URLS },
  { sign: /[-_./:]|A[A-Z]{3}[A-Z0-9]{12}|AIza|(?:SK|AC)[\da-f]{32}/, rules: KEY_RULES },
  {
    sign: /pass|pwd|kennwort|secret|token|key|bearer|basic|\bpin\b|tan|otp|cv[vc]|one-time|cookie|\s-[pau]|user/i,
    rules: SPOKEN_OF,
  },
]
