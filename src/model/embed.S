    .section .rodata
    .global residue_embedded_claim_support_begin
    .global residue_embedded_claim_support_end
residue_embedded_claim_support_begin:
    .incbin "claim_support.txt"
residue_embedded_claim_support_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
