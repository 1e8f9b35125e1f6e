import { detectAll } from 'tinyld/light'

/** Words that hardly any English message of a few words is without. */
const ENGLISH: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are arrived as at back be been before broken but buy by can cancel
  cancelled change check come could damaged day days deliver delivered delivery did do does done dont for from get
  give go got had has have hello help here hey hi how human i if im in is it its item just know late later like lost
  make me more much my need never new no not now of on one only or order ordered orders our out package parcel paid
  pay person please pls policy refund return returned send sent ship shipped should so something sorry status stop
  still support talk than thank thanks that the their them then there they thing this time to today track tracking
  up us want was wasnt way we were what whats when where which who why will wish with without would wrong yes yet address shipping modify modifying edit trouble troubles problem account payment invoice items refunds assistance assistant agent person
  you your u ur r hv thx ok okay`.split(/\s+/),
)

/** Words that only this language has among those that are told apart. */
const COMMON: Readonly<Record<string, ReadonlySet<string>>> = {
  de: words(`der die das ich nicht ist und ein eine einen meine meinen mein wo wie bitte mit für von zu auf kann
    möchte will habe haben sie wir mir mich noch auch bestellung geld zurück danke guten hallo wann warum`),
  fr: words(`le la les un une des je ne pas est et mon ma mes où ou est-ce que qui pour avec dans sur vous nous
    bonjour merci commande voudrais veux suis été ai argent remboursement colis quand comment pourquoi`),
  es: words(`el la los las un una yo no es está esta y mi mis dónde donde que qué por para con en de del quiero
    hola gracias pedido dinero paquete puedo puede pueden me necesito cuándo cómo cuando como llegó ayuda`),
  pt: words(`o a os as um uma eu não nao é está e meu minha onde que por para com em de do da quero olá ola
    obrigado obrigada pedido encomenda dinheiro posso preciso quando como chegou ajuda você`),
  it: words(`il lo la i gli le un una io non è e mio mia dove che per con in di del della vorrei voglio ciao
    grazie ordine soldi pacco posso ho bisogno quando come buongiorno arrivato rimborso dov`),
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

const MOST_CHARACTERS = 400
/** A share of English words from which a message counts as English. */
const ENOUGH_ENGLISH = 0.3

/**
 * The language of a message that is not in English, as its ISO 639-1 code; `null` for English, and for texts too
 * short to tell, such as names and addresses.
 */
export function foreignLanguage(text: string): string | null {
  const said = text.slice(0, MOST_CHARACTERS).normalize('NFC')
  const found = said.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
  const letters = said.match(/\p{L}/gu)?.length ?? 0
  const latin = said.match(/\p{Script=Latin}/gu)?.length ?? 0
  // A message in another script needs no words to be counted.
  if (letters >= 4 && latin < letters / 3) return detectAll(said)[0]?.lang ?? 'other'
  const greeting = GREETINGS.get(found.join(' '))
  if (greeting !== undefined) return greeting
  const english = found.filter((word) => ENGLISH.has(word)).length
  if (found.length < 3 || english / found.length >= ENOUGH_ENGLISH) return null
  const [likely] = detectAll(said)
  if (likely === undefined || likely.lang === 'en') return null
  const common = COMMON[likely.lang]
  if (common !== undefined) {
    return found.some((word) => common.has(word) && !ENGLISH.has(word)) ? likely.lang : null
  }
  const own = found.filter((word) => ENGLISH.has(word) && !SHARED.has(word))
  const isLikely = own.length === 0 && (english === 0 || likely.accuracy >= CLEAR)
  return found.length >= 4 && isLikely && LATIN_LANGUAGES.has(likely.lang) ? likely.lang : null
}

/** English words that the languages of its neighbors have as well. */
const SHARED = words('is in so have')
/** Accuracy by which a language is told although some of its words are English, too. */
const CLEAR = 0.9

/** Greetings that are whole messages, and of one language. */
const GREETINGS: ReadonlyMap<string, string> = new Map([
  ['bonjour', 'fr'],
  ['bonsoir', 'fr'],
  ['guten tag', 'de'],
  ['guten morgen', 'de'],
  ['guten abend', 'de'],
  ['hola', 'es'],
  ['buenos días', 'es'],
  ['buenas tardes', 'es'],
  ['buongiorno', 'it'],
  ['buonasera', 'it'],
  ['olá', 'pt'],
  ['bom dia', 'pt'],
])

/** Other languages in Latin script, which a few words tell well enough. */
const LATIN_LANGUAGES: ReadonlySet<string> = new Set([
  'nl',
  'pl',
  'tr',
  'sv',
  'da',
  'no',
  'cs',
  'ro',
  'hu',
  'fi',
  'vi',
  'id',
])

/** What a customer is told in their language: that only English is read, and that a person can be had. */
const SENTENCES: Readonly<Record<string, string>> = {
  es: 'Lo siento, solo entiendo inglés. Escriba «person» y le paso con una persona de nuestro equipo.',
  fr: 'Désolé, je ne comprends que l’anglais. Écrivez « person » et je vous mets en relation avec un collègue.',
  de: 'Es tut mir leid, ich verstehe nur Englisch. Schreiben Sie „person“, dann hole ich einen Menschen dazu.',
  pt: 'Desculpe, só entendo inglês. Escreva “person” e eu passo a conversa a uma pessoa da equipa.',
  it: 'Mi dispiace, capisco solo l’inglese. Scriva “person” e la metto in contatto con un collega.',
  zh: '抱歉，我只能看懂英语。请输入“person”，我会为您转接人工客服。',
  hi: 'क्षमा करें, मैं केवल अंग्रेज़ी समझता हूँ। किसी व्यक्ति से बात करने के लिए “person” लिखें।',
  ar: 'عذرًا، أفهم الإنجليزية فقط. اكتب “person” وسأحوّلك إلى أحد الزملاء.',
  ru: 'Извините, я понимаю только английский. Напишите «person», и я позову сотрудника.',
  ja: '申し訳ありませんが、英語しか理解できません。「person」と入力すると担当者におつなぎします。',
  bn: 'দুঃখিত, আমি শুধু ইংরেজি বুঝি। কোনো মানুষের সঙ্গে কথা বলতে “person” লিখুন।',
}

/** The sentence for a language; in English for one that has none. */
export const inLanguage = (language: string): string =>
  SENTENCES[language] ??
  'Sorry, I can only read English. Write "person", and I\'ll get a colleague for you.'
