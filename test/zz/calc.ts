import { readFileSync } from 'node:fs'
import { evaluate } from '../../src/tools/calculator/evaluate.ts'
for (const f of process.argv.slice(2)) {
  let ok=0, n=0
  for (const line of readFileSync(f,'utf8').trim().split('\n')) {
    const at=line.lastIndexOf('='), e=line.slice(0,at), want=Number(line.slice(at+1)); n++
    let got: string
    try { got=evaluate(e) } catch(x) { got='REFUSED '+(x as Error).message }
    const v=Number(got)
    if (Math.abs(v-want)<=1e-6*Math.max(1,Math.abs(want))) ok++; else console.log(f,'|',e,'| want',want,'| got',got)
  }
  console.log(f, ok,'/',n)
}
