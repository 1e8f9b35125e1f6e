/** Cyrillic, Greek and phonetic letters and assignment signs, as code points because they look alike. */
const LOOKS =
  '\u0430\u0432\u0441\u0501\u0435\u04bb\u0456\u0458\u043a\u04cf\u043e\u0440\u0455\u0442' +
  '\u0443\u051d\u0445\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420' +
  '\u0405\u0422\u0423\u051c\u0425\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5' +
  '\u03c9\u03c7\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5' +
  '\u03a7\u0396\u0131\u0251\u0261\u2254\u2255\ua78a\u2236\ua789\u02d0'

/** The ASCII characters that they look like, in the same order. */
const AS = 'abcdehijklopstywxABCEHIJKMOPSTYWXaeikvoptuwxABEHIKMNOPTYXZiag===:::'

const SEEN: ReadonlyMap<string, string> = new Map(
  Array.from(LOOKS, (sign, index) => [sign, AS.charAt(index)]),
)

export const LOOK_ALIKE: RegExp = new RegExp(`[${LOOKS}]`)
const EACH = new RegExp(LOOK_ALIKE, 'g')
const WORD = /[\p{L}\p{N}_-]+|[^\p{L}\p{N}_\s-]/gu

/** Replaces look-alike letters. A word without a Latin letter belongs to another language and stays. */
export const asSeen = (text: string): string =>
  LOOK_ALIKE.test(text)
    ? text.replaceAll(WORD, (word) =>
        /\p{L}/u.test(word) && !/\p{Script=Latin}/u.test(word)
          ? word
          : word.replaceAll(EACH, (sign) => SEEN.get(sign) ?? sign),
      )
    : text
