import { readFileSync } from 'node:fs'
import { evaluate } from 'mathjs'
import { readQuestion } from '../../src/agents/decide/question.ts'
import { ANSWERS } from '../../src/providers/offline/models.ts'
import { evaluate as calc } from '../../src/tools/calculator/evaluate.ts'
import { promptFor } from '../../src/providers/offline/ask-in-tests.ts'
const show = process.env['SHOW'] ?? ''
const same=(a:number,b:number)=>Math.abs(a-b)<=1e-6*Math.max(1,Math.abs(b))
function rows(f:string):{q:string,a:number,e?:string}[]{
  return readFileSync(f,'utf8').trim().split('\n').flatMap(l=>{const p=l.split('|')
    if(p.length===2) return [{q:p[0]!,a:Number(p[1])}]
    const body=p[0]!, q=p[1]!, joins = /[.?!]$/.test(body)?[' ']:(process.env['JOINS']??', ').split('_')
    return joins.map(j=>({q:body+j+(j===', '?q[0]!.toLowerCase()+q.slice(1):q),a:Number(p[3]),e:p[2]!})) })
}
function big(q:string):number|null{ const p:any=JSON.parse(ANSWERS.big(promptFor(q))); if(!p.actions) return null
  const c=p.actions[0]; if(p.actions.length!==1||c.tool!=='calculator') {console.log('  other plan',JSON.stringify(p.actions),q); return NaN}
  return Number(calc(c.args.expr)) }
for(const f of process.argv.slice(2)){
  const t={n:0,right:0,WRONG:0,unknown:0,other:0,bright:0,bWRONG:0,bdecl:0,agree:0,agreeTrue:0,eq:0}
  for(const {q,a,e} of rows(f)){ t.n++
    if(e&&same(Number(calc(e)),a)) t.eq++
    const c:any=readQuestion(q)
    let r='unknown', vals:number[]=[]
    if(c.kind==='math'){ vals=c.expressions.map((x:string)=>Number(evaluate(x))); r=vals.every(v=>same(v,a))?'right':'WRONG' } else if(c.kind!=='unknown') r='other'
    ;(t as any)[r]++
    const b=big(q)
    const br=b===null?'decl':same(b,a)?'right':'WRONG'; (t as any)['b'+br]++
    if(b!==null&&vals.some(v=>same(v,b))){t.agree++; if(same(b,a))t.agreeTrue++}
    if(r==='WRONG'||br==='WRONG'||r==='other') console.log(`!! reader ${r} ${JSON.stringify(c.expressions??c)} | big ${br} ${b} | want ${a} | ${q}`)
    else if(show.includes(r[0]!)) console.log(`${r} ${JSON.stringify(c.expressions??c.why)} big ${br} | ${a} | ${q}`)
  }
  console.log(f.split('/').pop(), JSON.stringify(t))
}
