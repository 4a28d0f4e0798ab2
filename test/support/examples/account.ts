import { EXAMPLE_NOW, exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { AccountCommand } from '../../../domain/account/decide.js';
import type { AccountEvent } from '../../../domain/account/events.js';

const ACT = '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b21';
const MEMBER = '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b22';

export const accountEventExamples = {
  revealed: {
    type: 'PersonalDataRevealed',
    data: {
      act_uuid: ACT,
      member_uuid: MEMBER,
      thing: 'conversation',
      thing_uuid: exampleIds.conversation,
      reason: 'complaint',
      reference: 'T-1042',
      at: EXAMPLE_NOW,
      until: '2026-03-02T12:10:00.000Z',
    },
  },
  signedIn: {
    type: 'SignedIn',
    data: {
      act_uuid: ACT,
      member_uuid: MEMBER,
      session_uuid: '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b23',
      by: 'password',
    },
  },
  failed: { type: 'SignInFailed', data: { act_uuid: ACT, member_uuid: MEMBER } },
  passwordSet: { type: 'PasswordSet', data: { act_uuid: ACT, member_uuid: MEMBER } },
  secondFactorOn: { type: 'SecondFactorChanged', data: { act_uuid: ACT, member_uuid: MEMBER, on: true } },
} satisfies EventExamples<AccountEvent>;

export const accountCommandExamples = {
  reveal: { given: [], command: { type: 'RecordAct', act: accountEventExamples.revealed } },
  signIn: { given: [], command: { type: 'RecordAct', act: accountEventExamples.signedIn } },
  fail: { given: [], command: { type: 'RecordAct', act: accountEventExamples.failed } },
  setPassword: { given: [], command: { type: 'RecordAct', act: accountEventExamples.passwordSet } },
  setUp: { given: [], command: { type: 'RecordAct', act: accountEventExamples.secondFactorOn } },
} satisfies CommandExamples<AccountEvent, AccountCommand>;
