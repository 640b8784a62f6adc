import { startSandbox } from '/work/main/adapters/carriers/sandbox/start-sandbox.ts';
import { createFlite } from '/work/main/adapters/speech/flite.ts';
import { createSubtitlesRecogniser } from '/work/main/adapters/speech/subtitles.ts';
import { WebSocketServer } from 'ws';
import http from 'node:http';
const log = { info:(...a:any[])=>{}, warn:(...a:any[])=>console.log('WARN',...a), error:(...a:any[])=>console.log('ERR',...a) } as any;
const sandbox = await startSandbox({port:0,accountSid:'AC1',authToken:'t',simulationSpeed:Number(process.argv[3]??1),log});
const flite=createFlite();
const cb=http.createServer((q,r)=>{let b='';q.on('data',d=>b+=d);q.on('end',()=>{const p=new URLSearchParams(b);if(process.argv[2]!=='load')console.log('CB',p.get('CallStatus'),p.get('AnsweredBy'),p.get('SequenceNumber'),p.get('CallDuration'),p.get('MachineDetectionDuration'));r.end();});}).listen(0);
const wss=new WebSocketServer({port:0});
const wsPort=(wss.address() as any).port, cbPort=(cb.address() as any).port;
const script=["Hi Ada, this is the virtual AI assistant of Acme, calling about your roof quote. This call is transcribed and may be recorded. Say 'stop calling' at any time and we will not call you again. Are you the homeowner?","How old is your roof in years?","When would you like to start: this month, next month or later?","What is the address of the property?","I have Tuesday at 10 AM or Tuesday at 11 AM. Which works better for you?","Great, you are booked for Tuesday at 10 AM. Goodbye."];
const verbose=process.argv[2]!=='load';
wss.on('connection',(ws)=>{let sid='';let n=0;let last='';let pending:Promise<void>|null=null; let marked=0;
 const say=async(t:string)=>{ if(verbose)console.log('AGENT',t); for await(const c of flite.speak(t,{voice:'slt'})) ws.send(JSON.stringify({event:'media',streamSid:sid,media:{payload:Buffer.from(c.mulaw).toString('base64')}})); ws.send(JSON.stringify({event:'mark',streamSid:sid,mark:{name:'m'+n}}));};
 const rec=createSubtitlesRecogniser().open({failed(){},heard(h){ if(h.kind==='final'){ if(verbose)console.log('   PERSON',h.text,h.fromMs|0,h.toMs|0); if(n<script.length) void say(script[n++]!); }}});
 ws.on('message',(d)=>{const m=JSON.parse(String(d)); if(m.event==='start'){sid=m.streamSid; if(verbose)console.log(JSON.stringify(m))} else if(m.event==='media'){rec.push(Buffer.from(m.media.payload,'base64'),Number(m.media.timestamp));} else if(verbose)console.log(JSON.stringify(m)); });
});
const place=async(to:string)=>{ const f=new URLSearchParams({To:to,From:'+12025550100',Twiml:`<Response><Connect><Stream url="ws://127.0.0.1:${wsPort}/media/x"><Parameter name="callId" value="a&amp;b"/></Stream></Connect><Hangup/></Response>`,StatusCallback:`http://127.0.0.1:${cbPort}/`,Timeout:'20',TimeLimit:'120',MachineDetection:'Enable',AsyncAmd:'true',AsyncAmdStatusCallback:`http://127.0.0.1:${cbPort}/amd`}); for(const e of ['initiated','ringing','answered','completed'])f.append('StatusCallbackEvent',e);
 const r=await fetch(sandbox.url+'/2010-04-01/Accounts/AC1/Calls.json',{method:'POST',body:f,headers:{authorization:'Basic '+Buffer.from('AC1:t').toString('base64')}}); const j:any=await r.json(); if(verbose)console.log(r.status,j); return j.sid;};
if(verbose){
 await place(process.argv[2]!);
 for(;;){await new Promise(r=>setTimeout(r,300)); const c:any=await (await fetch(sandbox.url+'/sandbox/calls')).json(); if(['completed','busy','no-answer'].includes(c.calls[0].status)){console.log(JSON.stringify(c,null,1).slice(0,3000));break;}}
} else {
 const cpu=process.cpuUsage(), t=performance.now();
 for(let i=0;i<Number(process.argv[4]??50);i++) await place('+121255502'+String(i).padStart(2,'0'));
 let worst=0; let prev=performance.now(); const iv=setInterval(()=>{const n=performance.now(); worst=Math.max(worst,n-prev-20); prev=n;},20);
 for(;;){await new Promise(r=>setTimeout(r,1000)); const c:any=await (await fetch(sandbox.url+'/sandbox/calls')).json(); const done=c.calls.filter((x:any)=>x.status==='completed').length; if(done===c.calls.length){ console.log('all', done, 'confirmed', c.calls.filter((x:any)=>x.conversation.some((l:any)=>/Tuesday at 10/.test(l.text)&&l.who==='person')).length, 'warnings', c.calls.flatMap((x:any)=>x.warnings).length); break;}}
 clearInterval(iv);
 const u=process.cpuUsage(cpu); console.log('seconds',(performance.now()-t)/1000|0,'cpu s',(u.user+u.system)/1e6,'worst lag',worst|0,'ms (gateway side included)');
}
await sandbox.close(); await flite[Symbol.asyncDispose](); wss.close(); for(const c of wss.clients)c.terminate(); cb.close(); cb.closeAllConnections();
