/**
 * The calibrations of the classifiers of the intents that come along, by the key of their examples. A test keeps them
 * true; `npm run calibrate` makes them anew after the examples were changed.
 */
export const KNOWN_CALIBRATIONS: Readonly<Record<string, readonly number[]>> = {
  '176357.5252972708345482': [
    0.65500190570923, 1.5826160974461536, 1.5852881081993089, -1.9045327688448626,
  ],
  '61028.4609032472638668': [
    0.03080130874276284, 2.2557539228773735, 0.0687094309019673, -0.5567364041429476,
  ],
}
