import type { Question } from './questions.ts'

/**
 * Modeled on word problems by other authors, on which the reader was then measured: kinds distinguished by
 * an adjective, people at different places, conditions after the question; and questions that look like
 * them.
 */
export const OTHER_WRITERS: readonly Question[] = [
  [
    'Iris had 31 lemon tarts and 12 plum tarts. She ate 4 plum tarts and 9 lemon tarts. How many lemon tarts does Iris have left?',
    22,
  ],
  ['There were 64 dollars in a purse. She spent 15 dollars at a fair. How much money is left?', 49],
  [
    'Kofi did 31 sit-ups and Lena did 24 sit-ups in class. How many more sit-ups did Kofi do than Lena?',
    7,
  ],
  [
    'Kofi did 31 sit-ups. Lena did 12 more sit-ups than Kofi. How many sit-ups did Kofi and Lena do altogether?',
    74,
  ],
  ['Rosa has 14 shells and Juan has 8 shells. How many shells do Rosa and Juan have together?', 22],
  [
    'Rosa has 3 times as many kites as Juan. Juan has 2 times as many kites as Ida. How many kites do Rosa, Juan, and Ida have together if Ida has 5 kites?',
    45,
  ],
  [
    '5 crows were sitting on a wall. 3 more crows came to join them. How many crows are sitting on the wall?',
    8,
  ],
  ['7 swans were swimming on a lake. 2 swans flew away. How many swans are on the lake?', 5],
  ['Omar currently has 18 stamps. Later he sold 5 stamps. How many stamps does he have left?', 13],
  ['Ada had 20 old maps. She got 5 new maps. How many old maps does Ada have?', 20],
  ['Ada had 20 old maps. She got 5 new maps. How many maps does Ada have?', 25],
  ['Ben has 5 long ropes and 3 short ropes. How many long ropes does Ben have?', 5],
  // The things found may be among those that he has.
  ['Omar found 6 shells. He has 9 shells now. How many shells does he have?', 9],
  ['Omar found 6 shells. How many shells did he have at first if he has 9 shells now?', 3],
  ['Ada earned $6. She has $20. How much money does she have?', 20],
  ['Ada spent $12. Then she got $5. Now she has $9. How much money did she have before?', 16],
  // Places within places.
  [
    'There are 30 guests at the feast. There are 8 guests in the garden. How many guests are there?',
    30,
  ],
  ['There are 30 guests. 8 are from Peru. How many guests are there?', 30],
  ['6 boys were sitting and 4 boys were standing. How many boys are sitting?', 6],
  [
    'Tim has 4 big crates and 3 small crates. Each crate holds 5 jars. How many jars are in the big crates?',
    20,
  ],
  // Kinds that turn into each other.
  [
    'Mona has 9 red caps and 4 blue caps. She paints the red caps blue. How many blue caps does she have?',
    13,
  ],
  [
    'Mona has 20 full jars and 5 empty jars. She drank 3 full jars. How many empty jars does she have?',
    8,
  ],
  ['Mona has 9 red caps and 4 caps. How many red caps does she have?', null],
  ['Mona had 9 red caps and 4 blue caps. She lost 2 caps. How many red caps are left?', null],
  // Money that is not stated to be for spending.
  ['There are $60 in the till. Each mug costs $5. How many mugs are there?', null],
  ['There were $60 in the till. Mona had $9. She spent $4. How much money does she have left?', 5],
  [
    'Rosa has 5 figs, Juan has 4 figs and Ida has 2 figs. How many figs do Rosa and Juan have together?',
    9,
  ],
  ['Rosa has 5 figs. She gave 2 figs to Juan. How many figs do Rosa and Juan have?', null],
  ['Did Rosa have 5 figs? How many figs does Rosa have?', null],
  ['Rosa has 9 figs. How many figs would she have if she had not lost 4 figs?', null],
]
