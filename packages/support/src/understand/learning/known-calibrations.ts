/**
 * The calibrations of the classifiers of the intents that come along, by the key of their examples. A test keeps them
 * true; `npm run calibrate` makes them anew after the examples were changed.
 */
export const KNOWN_CALIBRATIONS: Readonly<Record<string, readonly number[]>> = {
  '176357.5252972708345482': [0.65500190570923, 1.5826160974461536, 1.5852881081993089, -1.9045327688448626],
  '61232.7787367390163496': [0, 2.409501624051237, 0.025619915564949927, -0.6135199939111313],
}
