    .section .rodata
    .global residue_embedded_claim_support_begin
    .global residue_embedded_claim_support_end
residue_embedded_claim_support_begin:
    .incbin "claim_support.txt"
residue_embedded_claim_support_end:
    .byte 0
    .global residue_embedded_atomize_begin
    .global residue_embedded_atomize_end
residue_embedded_atomize_begin:
    .incbin "atomize.txt"
residue_embedded_atomize_end:
    .byte 0
    .global residue_embedded_paraphrase_begin
    .global residue_embedded_paraphrase_end
residue_embedded_paraphrase_begin:
    .incbin "paraphrase.txt"
residue_embedded_paraphrase_end:
    .byte 0
    .global residue_embedded_categories_general_begin
    .global residue_embedded_categories_general_end
residue_embedded_categories_general_begin:
    .incbin "categories_general.txt"
residue_embedded_categories_general_end:
    .byte 0
    .global residue_embedded_categories_medical_begin
    .global residue_embedded_categories_medical_end
residue_embedded_categories_medical_begin:
    .incbin "categories_medical.txt"
residue_embedded_categories_medical_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
