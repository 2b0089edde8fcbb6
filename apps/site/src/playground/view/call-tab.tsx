import { defineComponent } from "vue";
import { Conversation } from "./conversation.tsx";
import { ExamplePicker } from "./example-picker.tsx";
import { HeldCode } from "./held-code.tsx";
import { HostPanel } from "./host-panel.tsx";
import { MessagePanel } from "./message-panel.tsx";
import { OptionsForm } from "./options-form.tsx";
import { PeersPanel } from "./peers-panel.tsx";
import { ScenesPanel } from "./scenes-panel.tsx";
import { TextEditors } from "./text-editors.tsx";
import { usePlayground } from "./use-playground.ts";

/** A call: what the model sends on the left, what it reads on the right. */
export const CallTab = defineComponent(() => {
  const model = usePlayground();
  return () => (
    <>
      <ExamplePicker model={model} />
      <HeldCode model={model} />
      <div class="pg-columns">
        <div class="pg-column">
          <TextEditors model={model} />
        </div>
        <div class="pg-column pg-answers">
          <MessagePanel model={model} />
          <PeersPanel model={model} />
          <Conversation model={model} />
        </div>
        <OptionsForm model={model} />
      </div>
      <HostPanel model={model} />
      <ScenesPanel />
    </>
  );
});
