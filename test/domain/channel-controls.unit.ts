import { channelControlsAggregate } from '../../domain/channel-controls/decide.js';
import { sendingCommandExamples, sendingEventExamples } from '../support/examples/channel-controls.js';
import { given } from '../support/decider.js';

const { stopped, paused } = sendingEventExamples;
const { stop, pause } = sendingCommandExamples;

const pausedChannel = given(channelControlsAggregate, paused);
const stoppedChannel = given(channelControlsAggregate, stopped);

describe('sending of a channel', () => {
  it('is stopped, limited and let go by the operator, each without touching the other', () => {
    given(channelControlsAggregate).when(stop.command).then(stopped);
    stoppedChannel
      .when({ type: 'ChangeSendingSettings', stopped: 'nothing' })
      .then({ type: 'SendingSettingsChanged', data: { stopped: 'nothing', max_per_second: 20 } });
    stoppedChannel
      .when({ type: 'ChangeSendingSettings', maxPerSecond: null })
      .then({ type: 'SendingSettingsChanged', data: { stopped: 'marketing', max_per_second: null } });
  });

  it('is paused by WhatsApp for as long as the last word says', () => {
    pausedChannel.when(pause.command).thenNothing();
    pausedChannel.when({ ...pause.command, until: '2026-03-02T12:30:00.000Z' }).thenNothing();
    pausedChannel
      .when({ ...pause.command, until: '2026-03-02T13:30:00.000Z' })
      .then({ ...paused, data: { ...paused.data, until: '2026-03-02T13:30:00.000Z' } });
  });
});
